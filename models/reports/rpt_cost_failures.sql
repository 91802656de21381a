with

runs as (

    select * from {{ ref('runs') }}

),

llm_calls as (

    select * from {{ ref('llm_calls') }}

),

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

failed as (

    select
        llm_calls.system_id,
        llm_calls.stage,
        llm_calls.model,
        llm_calls.call_id,
        llm_calls.item_id,
        llm_calls.error,
        llm_calls.http_status,
        llm_calls.n_attempts,
        items.question_text,
        {{ question_page_id('items.gold_set', 'llm_calls.item_id') }} as page_id,
        row_number() over (
            partition by llm_calls.system_id, llm_calls.stage, llm_calls.model
            order by
                {{ seeded_order('llm_calls.item_id', 'failures') }},
                llm_calls.item_id,
                llm_calls.call_id
        ) as failure_rank
    from llm_calls
    inner join items
        on llm_calls.item_id = items.item_id
    where llm_calls.status = 'failed'

)

select
    runs.run_id,
    failed.system_id,
    failed.stage,
    failed.model,
    cast(failed.failure_rank as integer) as failure_rank,
    failed.question_text,
    failed.page_id,
    failed.error,
    failed.http_status,
    failed.n_attempts
from failed
cross join runs
where failed.failure_rank <= {{ var('hardest_cases_per_system') | int }}
