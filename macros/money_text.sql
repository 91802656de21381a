{#- Dollars with thousands separators: $1,234,000. Engine seam. -#}
{% macro money_text(value) -%}
    {{ return(adapter.dispatch('money_text', 'finrag')(value)) }}
{%- endmacro %}

{% macro default__money_text(value) -%}
    '$' || format('{:,}', cast(round({{ value }}) as bigint))
{%- endmacro %}

{% macro spark__money_text(value) -%}
    '$' || format_number(round({{ value }}), 0)
{%- endmacro %}
