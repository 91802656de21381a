{#- Aggregates `value` into a list ordered by `order_by`. -#}
{% macro ordered_list(value, order_by) -%}
    list({{ value }} order by {{ order_by }})
{%- endmacro %}
