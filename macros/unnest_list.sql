{#- One row per element of a list, as column `name`. Engine seam. -#}
{% macro unnest_list(column, name) -%}
    {{ return(adapter.dispatch('unnest_list', 'finrag')(column, name)) }}
{%- endmacro %}

{% macro default__unnest_list(column, name) -%}
    unnest({{ column }}) as {{ name }}
{%- endmacro %}

{% macro spark__unnest_list(column, name) -%}
    explode({{ column }}) as {{ name }}
{%- endmacro %}
