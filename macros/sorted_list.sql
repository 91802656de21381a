{#- A list in ascending order. -#}
{% macro sorted_list(column) -%}
    list_sort({{ column }})
{%- endmacro %}
