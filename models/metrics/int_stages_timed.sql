{#-
    Every item that a system searched for or answered, with the stages that were timed: one
    row without a stage where none was. What was not run took no time, and is no item.
-#}
with

retrieval_outcomes as (

    select *
    from {{ ref('retrieval_outcomes') }}
    where outcome <> 'not_run'

),

query_stages as (

    select * from {{ ref('query_stages') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where outcome <> 'not_run'

),

-- A set of several kinds of passage is searched once a kind.
asked as (

    select
        system_id,
        gold_set,
        item_id
    from retrieval_outcomes

    union

    select
        system_id,
        gold_set,
        item_id
    from answers

),

-- A question is embedded once for all of them, and each search repeats that time.
searched as (

    select *
    from query_stages
    where latency_ms is not null
    qualify
        stage <> 'embed'
        or unit = min(unit) over (partition by system_id, item_id, stage)

),

-- The stages of a search come in their order, the answer after them.
timed as (

    select
        system_id,
        item_id,
        stage,
        min(stage_pos) as stage_pos,
        {{ exact_sum('latency_ms') }} as latency_ms
    from searched
    group by system_id, item_id, stage

    union all

    select
        system_id,
        item_id,
        'answer' as stage,
        1000 as stage_pos,
        latency_ms
    from answers
    where latency_ms is not null

)

select
    asked.system_id,
    asked.gold_set,
    asked.item_id,
    timed.stage,
    timed.stage_pos,
    timed.latency_ms
from asked
left join timed
    on
        asked.system_id = timed.system_id
        and asked.item_id = timed.item_id
