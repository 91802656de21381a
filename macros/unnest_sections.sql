{#- One row per element of a list of section structs, in list order.
    Use in a select list next to the columns to keep. -#}
{% macro unnest_sections(column) -%}
    unnest({{ column }}, max_depth := 2)
{%- endmacro %}
