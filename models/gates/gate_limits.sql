with

runs as (

    select * from {{ ref('runs') }}

),

py_gates_read as (

    select * from {{ ref('py_gates_read') }}

)

-- A row for this corpus replaces the row for any corpus.
select
    runs.run_id,
    py_gates_read.gate_id,
    py_gates_read.phase,
    py_gates_read.measured_in,
    py_gates_read.system_id,
    py_gates_read.gold_set,
    py_gates_read.slice_name,
    py_gates_read.slice_value,
    py_gates_read.metric,
    py_gates_read.k,
    py_gates_read.unit,
    py_gates_read.mode,
    py_gates_read.statistic,
    py_gates_read.direction,
    py_gates_read.limit_value,
    py_gates_read.min_n,
    py_gates_read.severity,
    py_gates_read.capability,
    py_gates_read.rationale,
    py_gates_read.set_on,
    py_gates_read.set_by
from py_gates_read
cross join runs
where py_gates_read.corpus in ('any', runs.corpus)
qualify
    row_number() over (
        partition by py_gates_read.gate_id
        order by py_gates_read.corpus = 'any', py_gates_read.corpus
    ) = 1
