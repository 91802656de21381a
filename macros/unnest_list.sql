{#- One row per element of a list, as column `name`. -#}
{% macro unnest_list(column, name) -%}
    unnest({{ column }}) as {{ name }}
{%- endmacro %}
