with

py_gates_checked as (

    select * from {{ ref('py_gates_checked') }}

)

select
    run_id,
    gate_id,
    phase,
    measured_in,
    system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    k,
    unit,
    mode,
    statistic,
    direction,
    limit_value,
    min_n,
    severity,
    capability,
    rationale,
    set_on,
    set_by
from py_gates_checked
