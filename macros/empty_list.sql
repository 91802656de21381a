{#- A list of a type without elements. Engine seam. -#}
{% macro empty_list(data_type) -%}
    {{ return(adapter.dispatch('empty_list', 'finrag')(data_type)) }}
{%- endmacro %}

{% macro default__empty_list(data_type) -%}
    cast([] as {{ data_type }}[])
{%- endmacro %}

{% macro spark__empty_list(data_type) -%}
    cast(array() as array<{{ data_type }}>)
{%- endmacro %}
