{#- Number of elements of a list; 0 for null. Engine seam. -#}
{% macro list_length(column) -%}
    {{ return(adapter.dispatch('list_length', 'finrag')(column)) }}
{%- endmacro %}

{% macro default__list_length(column) -%}
    coalesce(len({{ column }}), 0)
{%- endmacro %}

{% macro spark__list_length(column) -%}
    greatest(size({{ column }}), 0)
{%- endmacro %}
