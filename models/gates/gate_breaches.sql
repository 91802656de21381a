with

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

)

select
    run_id,
    gate_id,
    phase,
    breach,
    severity,
    case severity
        when 'reference' then 0
        when 'warn' then 1
        else 2
    end as severity_level,
    system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    k,
    unit,
    mode,
    value,
    limit_value,
    n,
    rationale
from gate_verdicts
where breach is not null
