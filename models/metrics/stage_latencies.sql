with

runs as (

    select * from {{ ref('runs') }}

),

py_efficiency_measured as (

    select
        system_id,
        gold_set,
        {{ unnest_structs('stages') }}
    from {{ ref('py_efficiency_measured') }}

)

select
    py_efficiency_measured.system_id || '|' || py_efficiency_measured.gold_set
    || '|' || py_efficiency_measured.stage as stage_latency_id,
    runs.run_id,
    py_efficiency_measured.system_id,
    py_efficiency_measured.gold_set,
    py_efficiency_measured.stage,
    py_efficiency_measured.stage_pos,
    py_efficiency_measured.n_timed,
    py_efficiency_measured.latency_p50_ms,
    py_efficiency_measured.latency_p95_ms
from py_efficiency_measured
cross join runs
