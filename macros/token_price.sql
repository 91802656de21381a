{#- USD of the tokens of a table's row by the row of llm_prices that is joined to it; null where
    the model has no price or a count is missing, which is not the same as none. -#}
{% macro token_price(table) -%}
    (
        {{ table }}.input_tokens * llm_prices.input_usd_per_million
        + {{ table }}.output_tokens * llm_prices.output_usd_per_million
    ) / 1000000.0
{%- endmacro %}
