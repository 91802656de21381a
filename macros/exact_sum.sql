{#- Sum of doubles through decimals: integer addition, so the result does not depend on the
    order of rows or the number of threads. Values are kept to 15 decimals. -#}
{% macro exact_sum(value) -%}
    cast(sum(cast({{ value }} as decimal(38, 15))) as double)
{%- endmacro %}
