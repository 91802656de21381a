with

runs as (

    select * from {{ ref('runs') }}

),

retrieval_outcomes as (

    select * from {{ ref('retrieval_outcomes') }}

),

query_stages as (

    select * from {{ ref('query_stages') }}

),

answers as (

    select * from {{ ref('answers') }}

),

-- A set of several kinds of passage is searched once a kind.
asked as (

    select
        system_id,
        gold_set,
        item_id
    from retrieval_outcomes
    group by system_id, gold_set, item_id

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
    timed.system_id || '|' || asked.gold_set || '|' || timed.stage
        as stage_latency_id,
    runs.run_id,
    timed.system_id,
    asked.gold_set,
    timed.stage,
    min(timed.stage_pos) as stage_pos,
    count(*) as n_timed,
    quantile_cont(timed.latency_ms, 0.5) as latency_p50_ms,
    quantile_cont(timed.latency_ms, 0.95) as latency_p95_ms
from timed
inner join asked
    on
        timed.system_id = asked.system_id
        and timed.item_id = asked.item_id
cross join runs
group by
    runs.run_id,
    timed.system_id,
    asked.gold_set,
    timed.stage
