{#- A list of the given expressions, in order. -#}
{% macro list_of() -%}
    [{{ varargs | join(', ') }}]
{%- endmacro %}
