{#- One row per element of a list of section structs (item, section_text), in list order.
    Use in a select list next to the columns to keep. -#}
{% macro unnest_sections(column) -%}
    unnest({{ column }}, recursive := true)
{%- endmacro %}
