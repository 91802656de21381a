with

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

)

select
    run_id,
    gate_id,
    phase,
    severity,
    case severity
        when 'error' then 'stops a release'
        when 'warn' then 'warns'
        else 'breaks nothing: a reference system'
    end as consequence,
    verdict,
    breach,
    breach is not null
    or verdict in ('fail', 'unmeasured', 'too_few', 'waived') as needs_attention,
    is_trusted,
    gate_label,
    statement,
    system_id,
    gold_set,
    metric,
    k,
    unit,
    mode,
    case when not isnan(value) and not isinf(value) then value end as value,
    case when not isnan(ci_low) and not isinf(ci_low) then ci_low end as ci_low,
    case when not isnan(ci_high) and not isinf(ci_high) then ci_high end as ci_high,
    n,
    n_expected,
    limit_value,
    value_text,
    limit_text,
    null_text,
    rationale,
    strftime(set_on, '%-d %B %Y') as set_on,
    set_by,
    remedy,
    page,
    waiver_reason,
    cast(waived_until as varchar) as waived_until
from gate_verdicts
