with

runs as (

    select * from {{ ref('runs') }}

),

int_stages_timed as (

    select *
    from {{ ref('int_stages_timed') }}
    where stage is not null

)

select
    int_stages_timed.system_id || '|' || int_stages_timed.gold_set || '|'
    || int_stages_timed.stage as stage_latency_id,
    runs.run_id,
    int_stages_timed.system_id,
    int_stages_timed.gold_set,
    int_stages_timed.stage,
    min(int_stages_timed.stage_pos) as stage_pos,
    count(*) as n_timed,
    quantile_cont(int_stages_timed.latency_ms, 0.5) as latency_p50_ms,
    quantile_cont(int_stages_timed.latency_ms, 0.95) as latency_p95_ms
from int_stages_timed
cross join runs
group by
    runs.run_id,
    int_stages_timed.system_id,
    int_stages_timed.gold_set,
    int_stages_timed.stage
