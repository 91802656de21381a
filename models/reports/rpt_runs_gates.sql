with

recorded_gates as (

    select * from {{ ref('recorded_gates') }}

),

recorded_runs as (

    select * from {{ ref('recorded_runs') }}

),

-- Builds are set side by side within a corpus and encoder; others tell nothing.
in_order as (

    select
        recorded_gates.recorded_gate_id,
        recorded_gates.record_id,
        recorded_gates.recorded_at,
        recorded_runs.corpus,
        recorded_runs.encoder,
        recorded_gates.gate_id,
        recorded_gates.phase,
        recorded_gates.severity,
        recorded_gates.verdict,
        recorded_gates.breach,
        recorded_gates.value,
        recorded_gates.limit_value,
        recorded_gates.n,
        lag(recorded_gates.recorded_gate_id) over before is not null
            as has_before,
        lag(recorded_gates.verdict) over before as verdict_before,
        lag(recorded_gates.breach) over before as breach_before,
        lag(recorded_gates.value) over before as value_before,
        lag(recorded_gates.limit_value) over before as limit_before
    from recorded_gates
    inner join recorded_runs
        on recorded_gates.record_id = recorded_runs.record_id
    window before as (
        partition by
            recorded_runs.corpus,
            recorded_runs.encoder,
            recorded_gates.gate_id
        order by recorded_gates.recorded_at, recorded_gates.record_id
    )

)

select
    recorded_gate_id,
    record_id,
    recorded_at,
    corpus,
    encoder,
    gate_id,
    phase,
    severity,
    verdict,
    breach,
    value,
    limit_value,
    n,
    verdict_before,
    value_before,
    case
        when not has_before then 'first seen'
        when breach is not null and breach_before is null then 'broke'
        when breach is null and breach_before is not null then 'mended'
        when (verdict is distinct from verdict_before) then 'other verdict'
        when (breach is distinct from breach_before) then 'broken otherwise'
        when (limit_value is distinct from limit_before) then 'other limit'
        else 'unchanged'
    end as change
from in_order
