{#- The first `n` elements of a list. Engine seam. -#}
{% macro first_of_list(column, n) -%}
    {{ return(adapter.dispatch('first_of_list', 'finrag')(column, n)) }}
{%- endmacro %}

{% macro default__first_of_list(column, n) -%}
    list_slice({{ column }}, 1, {{ n }})
{%- endmacro %}

{% macro spark__first_of_list(column, n) -%}
    slice({{ column }}, 1, {{ n }})
{%- endmacro %}
