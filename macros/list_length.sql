{#- Number of elements of a list; 0 for null. -#}
{% macro list_length(column) -%}
    coalesce(len({{ column }}), 0)
{%- endmacro %}
