{#- What an outside system spent on a question, of external_predictions with the row of
    llm_prices that is joined to its model: the cost that it states counts before one that
    its tokens make. -#}
{% macro stated_cost() -%}
    coalesce(external_predictions.cost_usd, {{ token_price('external_predictions') }})
{%- endmacro %}
