{#- Whether a list holds a value; null where the list is null. -#}
{% macro is_in_list(value, column) -%}
    list_contains({{ column }}, {{ value }})
{%- endmacro %}
