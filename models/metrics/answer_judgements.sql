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
    {{ token_price('py_answers_llm_judged') }} as price_usd,
    py_answers_llm_judged.latency_ms
from py_answers_llm_judged
left join llm_prices
    on py_answers_llm_judged.model = llm_prices.model
