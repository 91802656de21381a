with

py_answers_llm_judged as (

    select * from {{ ref('py_answers_llm_judged') }}

),

llm_prices as (

    select * from {{ ref('llm_prices') }}

)

select
    py_answers_llm_judged.system_id,
    py_answers_llm_judged.gold_set,
    py_answers_llm_judged.item_id,
    py_answers_llm_judged.aspect,
    py_answers_llm_judged.verdict,
    py_answers_llm_judged.rationale,
    py_answers_llm_judged.score,
    py_answers_llm_judged.model,
    py_answers_llm_judged.prompt_hash,
    py_answers_llm_judged.call_id,
    py_answers_llm_judged.status,
    py_answers_llm_judged.error,
    py_answers_llm_judged.input_tokens,
    py_answers_llm_judged.output_tokens,
    -- A model without a price has no cost that is known, which is not the same as none.
    (
        py_answers_llm_judged.input_tokens * llm_prices.input_usd_per_million
        + py_answers_llm_judged.output_tokens * llm_prices.output_usd_per_million
    ) / 1000000.0 as price_usd,
    py_answers_llm_judged.latency_ms
from py_answers_llm_judged
left join llm_prices
    on py_answers_llm_judged.model = llm_prices.model
