{#- One row per struct of a list, its fields as columns, in list order. -#}
{% macro unnest_structs(column) -%}
    unnest({{ column }}, max_depth := 2)
{%- endmacro %}
