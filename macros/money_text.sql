{#- Dollars with thousands separators: $1,234,000. -#}
{% macro money_text(value) -%}
    '$' || format('{:,}', cast(round({{ value }}) as hugeint))
{%- endmacro %}
