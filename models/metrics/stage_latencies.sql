with

runs as (

    select * from {{ ref('runs') }}

),

retrieval_outcomes as (

    select *
    from {{ ref('retrieval_outcomes') }}
    where unit = 'sentence'

),

query_stages as (

    select *
    from {{ ref('query_stages') }}
    where unit = 'sentence'

),

answers as (

    select *
    from {{ ref('answers') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

-- The stages of a search come in their order, the answer after them.
timed as (

    select
        system_id,
        item_id,
        stage,
        min(stage_pos) as stage_pos,
        {{ exact_sum('latency_ms') }} as latency_ms
    from query_stages
    where latency_ms is not null
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
    timed.system_id || '|' || retrieval_outcomes.gold_set || '|' || timed.stage
        as stage_latency_id,
    runs.run_id,
    timed.system_id,
    retrieval_outcomes.gold_set,
    timed.stage,
    min(timed.stage_pos) as stage_pos,
    count(*) as n_timed,
    quantile_cont(timed.latency_ms, 0.5) as latency_p50_ms,
    quantile_cont(timed.latency_ms, 0.95) as latency_p95_ms
from timed
inner join retrieval_outcomes
    on
        timed.system_id = retrieval_outcomes.system_id
        and timed.item_id = retrieval_outcomes.item_id
cross join runs
group by
    runs.run_id,
    timed.system_id,
    retrieval_outcomes.gold_set,
    timed.stage
