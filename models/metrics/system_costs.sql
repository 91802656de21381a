with

runs as (

    select * from {{ ref('runs') }}

),

py_efficiency_measured as (

    select * from {{ ref('py_efficiency_measured') }}

)

select
    py_efficiency_measured.system_id || '|' || py_efficiency_measured.gold_set
        as system_cost_id,
    runs.run_id,
    py_efficiency_measured.system_id,
    py_efficiency_measured.gold_set,
    py_efficiency_measured.n_items,
    py_efficiency_measured.n_timed,
    py_efficiency_measured.latency_p50_ms,
    py_efficiency_measured.latency_p95_ms,
    py_efficiency_measured.n_calls,
    py_efficiency_measured.input_tokens,
    py_efficiency_measured.output_tokens,
    py_efficiency_measured.cost_usd_per_query,
    py_efficiency_measured.is_cost_known,
    py_efficiency_measured.cost_source,
    py_efficiency_measured.embedding_tokens_per_query,
    py_efficiency_measured.embedding_cost_usd_per_query,
    py_efficiency_measured.embedding_tokens_per_filing,
    py_efficiency_measured.embedding_cost_usd_per_filing,
    py_efficiency_measured.n_right,
    py_efficiency_measured.tokens_per_right_answer
from py_efficiency_measured
cross join runs
