with

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

recorded_runs as (

    select * from {{ ref('recorded_runs') }}

)

select
    md5(recorded_runs.record_id || '|' || gate_verdicts.gate_id) as recorded_gate_id,
    recorded_runs.record_id,
    recorded_runs.recorded_at,
    gate_verdicts.gate_id,
    gate_verdicts.phase,
    gate_verdicts.severity,
    gate_verdicts.verdict,
    gate_verdicts.breach,
    gate_verdicts.value,
    gate_verdicts.limit_value,
    gate_verdicts.n,
    gate_verdicts.is_trusted
from gate_verdicts
-- Verdicts of a build that did not record its figures belong to no run.
inner join recorded_runs
    on
        gate_verdicts.run_id = recorded_runs.run_id
        and recorded_runs.record_id = '{{ invocation_id }}'
where {{ not_yet_in_history('record_id', 'recorded_runs.record_id') }}
