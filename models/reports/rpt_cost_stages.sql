with

stage_latencies as (

    select * from {{ ref('stage_latencies') }}

)

select
    stage_latency_id,
    run_id,
    system_id,
    gold_set,
    stage,
    stage_pos,
    n_timed,
    latency_p50_ms,
    latency_p95_ms
from stage_latencies
