{#- One row per element of a list, as column `name`, with its `place` from 1. -#}
{% macro unnest_list_with_place(column, name) -%}
    unnest({{ column }}) as {{ name }},
    generate_subscripts({{ column }}, 1) as place
{%- endmacro %}
