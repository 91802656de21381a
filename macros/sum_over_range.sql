{#- Sum of `expression` for the integer `name` from `start` to `stop` - 1; 0 for an empty
    range. -#}
{% macro sum_over_range(name, start, stop, expression) -%}
    coalesce(list_sum(list_transform(
        range({{ start }}, {{ stop }}), lambda {{ name }} : {{ expression }}
    )), 0.0)
{%- endmacro %}
