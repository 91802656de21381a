{#- The first `n` elements of a list. -#}
{% macro first_of_list(column, n) -%}
    list_slice({{ column }}, 1, {{ n }})
{%- endmacro %}
