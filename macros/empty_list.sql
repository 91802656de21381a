{#- A list of a type without elements. -#}
{% macro empty_list(data_type) -%}
    cast([] as {{ data_type }}[])
{%- endmacro %}
