{#- A list in ascending order. Engine seam. -#}
{% macro sorted_list(column) -%}
    {{ return(adapter.dispatch('sorted_list', 'finrag')(column)) }}
{%- endmacro %}

{% macro default__sorted_list(column) -%}
    list_sort({{ column }})
{%- endmacro %}

{% macro spark__sorted_list(column) -%}
    array_sort({{ column }})
{%- endmacro %}
