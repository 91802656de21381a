{#- Failed calls, some of each system, stage and model. Never empty. -#}
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
    where gold_set = 'p3'

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

),

shown as (

    select *
    from failed
    where failure_rank <= {{ var('hardest_cases_per_system') | int }}

)

select
    case
        when shown.system_id is null then 'none'
        else concat_ws('|', shown.system_id, shown.item_id, shown.call_id)
    end as row_id,
    runs.run_id,
    shown.system_id,
    shown.stage,
    shown.model,
    cast(shown.failure_rank as integer) as failure_rank,
    shown.question_text,
    shown.page_id,
    shown.error,
    shown.http_status,
    shown.n_attempts,
    case when shown.system_id is null then 'not_applicable' else 'measured' end
        as status,
    case when shown.system_id is null then 'No call of a language model failed.' end
        as why
from runs
left join shown
    on true
