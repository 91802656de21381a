{#- One row per struct of a list, its fields as columns, in list order. Engine seam. -#}
{% macro unnest_structs(column) -%}
    {{ return(adapter.dispatch('unnest_structs', 'finrag')(column)) }}
{%- endmacro %}

{% macro default__unnest_structs(column) -%}
    unnest({{ column }}, max_depth := 2)
{%- endmacro %}

{% macro spark__unnest_structs(column) -%}
    inline({{ column }})
{%- endmacro %}
