{#- A field of a struct; null where the struct is null. Engine seam. -#}
{% macro field_of(column, name) -%}
    {{ return(adapter.dispatch('field_of', 'finrag')(column, name)) }}
{%- endmacro %}

{% macro default__field_of(column, name) -%}
    struct_extract({{ column }}, {{ sql_literal(name) }})
{%- endmacro %}

{% macro spark__field_of(column, name) -%}
    {{ column }}.{{ name }}
{%- endmacro %}
