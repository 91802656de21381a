{#- Whether a list holds a value; null where the list is null. Engine seam. -#}
{% macro is_in_list(value, column) -%}
    {{ return(adapter.dispatch('is_in_list', 'finrag')(value, column)) }}
{%- endmacro %}

{% macro default__is_in_list(value, column) -%}
    list_contains({{ column }}, {{ value }})
{%- endmacro %}

{% macro spark__is_in_list(value, column) -%}
    array_contains({{ column }}, {{ value }})
{%- endmacro %}
