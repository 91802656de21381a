{#-
    Every item that a system searched for or answered, with the stages that were timed: one
    row without a stage where none was. What was not run took no time, and is no item.

    What is timed here runs stage by stage, and an item takes as long as all of them. An
    outside system may state a total: the item takes as long, and its stages are parts of
    that, whether they overlap or not. What they leave of it is the stage other, and all of
    it the stage answer where no stage is stated. Without a total its stages add up.
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

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

outside_stages as (

    select
        system_id,
        item_id,
        {{ unnest_structs('stages') }}
    from external_predictions

),

-- A question is embedded once for all kinds of passage; each search repeats that time.
searched as (

    select query_stages.*
    from query_stages
    anti join external_predictions
        on
            query_stages.system_id = external_predictions.system_id
            and query_stages.item_id = external_predictions.item_id
    qualify
        query_stages.stage <> 'embed'
        or query_stages.unit = min(query_stages.unit) over (
            partition by
                query_stages.system_id, query_stages.item_id, query_stages.stage
        )

),

-- The stages of a search come in their order, the answer after them.
stages as (

    select
        system_id,
        item_id,
        stage,
        stage_pos,
        latency_ms
    from searched
    where latency_ms is not null

    union all

    select
        answers.system_id,
        answers.item_id,
        'answer' as stage,
        1000 as stage_pos,
        answers.latency_ms
    from answers
    anti join external_predictions
        on
            answers.system_id = external_predictions.system_id
            and answers.item_id = external_predictions.item_id
    where answers.latency_ms is not null

    union all

    select
        system_id,
        item_id,
        stage,
        stage_pos,
        latency_ms
    from outside_stages
    where latency_ms is not null

),

summed as (

    select
        system_id,
        item_id,
        {{ exact_sum('latency_ms') }} as stages_ms
    from stages
    group by system_id, item_id

),

totals as (

    select
        coalesce(external_predictions.system_id, summed.system_id) as system_id,
        coalesce(external_predictions.item_id, summed.item_id) as item_id,
        coalesce(external_predictions.latency_ms, summed.stages_ms) as total_ms,
        external_predictions.latency_ms - coalesce(summed.stages_ms, 0) as rest_ms,
        summed.system_id is not null as has_stages
    from summed
    full join external_predictions
        on
            summed.system_id = external_predictions.system_id
            and summed.item_id = external_predictions.item_id

),

parts as (

    select * from stages

    union all

    select
        system_id,
        item_id,
        if(has_stages, 'other', 'answer') as stage,
        1000 as stage_pos,
        rest_ms as latency_ms
    from totals
    where if(has_stages, rest_ms > 0, rest_ms is not null)

),

timed as (

    select
        system_id,
        item_id,
        stage,
        min(stage_pos) as stage_pos,
        {{ exact_sum('latency_ms') }} as latency_ms
    from parts
    group by system_id, item_id, stage

)

select
    asked.system_id,
    asked.gold_set,
    asked.item_id,
    timed.stage,
    timed.stage_pos,
    timed.latency_ms,
    totals.total_ms
from asked
left join timed
    on
        asked.system_id = timed.system_id
        and asked.item_id = timed.item_id
left join totals
    on
        asked.system_id = totals.system_id
        and asked.item_id = totals.item_id
