{#- One row per element of a list of section structs (item, section_text), in list order.
    Engine seam: use in a select list next to the columns to keep. -#}
{% macro unnest_sections(column) -%}
    {{ return(adapter.dispatch('unnest_sections', 'finrag')(column)) }}
{%- endmacro %}

{% macro default__unnest_sections(column) -%}
    unnest({{ column }}, recursive := true)
{%- endmacro %}

{% macro spark__unnest_sections(column) -%}
    inline({{ column }})
{%- endmacro %}
