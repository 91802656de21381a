{#- The element of a list at place `n`, from 1, or from the end where negative; null beyond.
    Engine seam. -#}
{% macro item_of(column, n) -%}
    {{ return(adapter.dispatch('item_of', 'finrag')(column, n)) }}
{%- endmacro %}

{% macro default__item_of(column, n) -%}
    {{ column }}[{{ n }}]
{%- endmacro %}

{% macro spark__item_of(column, n) -%}
    element_at({{ column }}, {{ n }})
{%- endmacro %}
