with

py_questions_answered as (

    select * from {{ ref('py_questions_answered') }}

),

retrieval_calls as (

    select * from {{ ref('retrieval_calls') }}

),

llm_prices as (

    select * from {{ ref('llm_prices') }}

),

answering as (

    select
        system_id,
        item_id,
        {{ unnest_structs('calls') }}
    from py_questions_answered

),

collected as (

    select * from answering

    union all by name

    select * from retrieval_calls

)

-- Two systems with the same request share one paid call; each lists it.
select
    collected.call_id,
    collected.system_id,
    collected.item_id,
    collected.stage,
    collected.model,
    collected.request_hash,
    collected.prompt_hash,
    collected.status,
    collected.error,
    collected.http_status,
    collected.n_attempts,
    collected.input_tokens,
    collected.output_tokens,
    {{ token_price('collected') }} as price_usd,
    collected.latency_ms,
    cast(collected.called_at as timestamp) as called_at
from collected
left join llm_prices
    on collected.model = llm_prices.model
