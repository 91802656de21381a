with

runs as (

    select * from {{ ref('runs') }}

),

answers as (

    select * from {{ ref('answers') }}

),

llm_calls as (

    select * from {{ ref('llm_calls') }}

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

told as (

    select
        system_id,
        gold_set,
        count(*) as n_asked,
        count(*) filter (where outcome = 'answered') as n_answered,
        count(*) filter (where outcome = 'abstained') as n_abstained,
        count(*) filter (where outcome = 'failed') as n_failed,
        count(*) filter (where outcome = 'not_run') as n_not_run,
        cast(sum(n_citations) as bigint) as n_citations,
        cast(sum(n_invalid_citations) as bigint) as n_invalid_citations
    from answers
    group by system_id, gold_set

),

-- A call whose price is not known makes the whole cost unknown, not cheaper.
called as (

    select
        system_id,
        count(*) as n_calls,
        count(*) filter (where status = 'failed') as n_failed_calls,
        cast(sum(input_tokens) as bigint) as input_tokens,
        cast(sum(output_tokens) as bigint) as output_tokens,
        case
            when count(price_usd) = count(*) filter (where status = 'ok')
                then {{ exact_sum('price_usd') }}
        end as price_usd
    from llm_calls
    group by system_id

),

-- An outside system tells itself what it spent.
spent as (

    select
        system_id,
        cast(sum(input_tokens) as bigint) as input_tokens,
        cast(sum(output_tokens) as bigint) as output_tokens,
        case
            when count(cost_usd) = count(*) then {{ exact_sum('cost_usd') }}
        end as price_usd
    from external_predictions
    group by system_id

)

select
    runs.run_id,
    told.system_id,
    told.gold_set,
    told.n_asked,
    told.n_answered,
    told.n_abstained,
    told.n_failed,
    told.n_not_run,
    told.n_citations,
    told.n_invalid_citations,
    coalesce(called.n_calls, 0) as n_calls,
    coalesce(called.n_failed_calls, 0) as n_failed_calls,
    coalesce(called.input_tokens, spent.input_tokens) as input_tokens,
    coalesce(called.output_tokens, spent.output_tokens) as output_tokens,
    coalesce(called.price_usd, spent.price_usd) as price_usd
from told
cross join runs
left join called
    on told.system_id = called.system_id
left join spent
    on told.system_id = spent.system_id
