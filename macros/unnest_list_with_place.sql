{#- One row per element of a list, as column `name`, with its `place` from 1. Engine seam. -#}
{% macro unnest_list_with_place(column, name) -%}
    {{ return(adapter.dispatch('unnest_list_with_place', 'finrag')(column, name)) }}
{%- endmacro %}

{% macro default__unnest_list_with_place(column, name) -%}
    unnest({{ column }}) as {{ name }},
    generate_subscripts({{ column }}, 1) as place
{%- endmacro %}

{% macro spark__unnest_list_with_place(column, name) -%}
    posexplode({{ column }}) as (place, {{ name }})
{%- endmacro %}
