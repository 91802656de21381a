with

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

)

select
    run_id,
    gate_id,
    phase,
    severity,
    verdict,
    breach,
    is_trusted,
    metric,
    k,
    unit,
    mode,
    statistic,
    direction,
    value,
    limit_value,
    n,
    null_value,
    rationale
from gate_verdicts
