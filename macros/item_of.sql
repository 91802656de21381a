{#- The element of a list at place `n`, from 1, or from the end where negative; null beyond.
    -#}
{% macro item_of(column, n) -%}
    {{ column }}[{{ n }}]
{%- endmacro %}
