-- Which gates changed their verdict, from one recorded build to the next?
-- Read value against value_before: a verdict may also change because the limit did, or
-- because a gate was measured for the first time. May be empty: there is one record, or
-- nothing changed.
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
        recorded_runs.corpus,
        recorded_runs.encoder,
        recorded_runs.git_commit,
        recorded_gates.recorded_at,
        recorded_gates.gate_id,
        recorded_gates.severity,
        recorded_gates.verdict,
        recorded_gates.value,
        recorded_gates.limit_value,
        recorded_gates.n,
        lag(recorded_gates.verdict) over before as verdict_before,
        lag(recorded_gates.value) over before as value_before
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

select *
from in_order
where
    verdict_before is not null
    and verdict <> verdict_before
order by recorded_at desc, severity asc, gate_id asc
