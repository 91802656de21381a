{#- The sentences of the first page: one for the warehouse, then one per candidate. -#}
with

runs as (

    select * from {{ ref('runs') }}

),

release_verdicts as (

    select * from {{ ref('release_verdicts') }}

),

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

recorded_runs as (

    select * from {{ ref('recorded_runs') }}

),

counted as (

    select
        {{ gate_counts() }},
        min(phase) filter (where not is_trusted) as first_untrusted_phase
    from gate_verdicts

),

last_record as (

    select
        run_id,
        max(recorded_at) as recorded_at
    from recorded_runs
    group by run_id

)

select
    runs.run_id,
    case when release_verdicts.subject = 'warehouse' then 0 else 1 end as place,
    release_verdicts.system_id,
    runs.corpus,
    runs.encoder,
    last_record.recorded_at,
    release_verdicts.headline as outcome,
    -- The badge beside it: only a release is green.
    case release_verdicts.headline
        when 'release' then 'pass'
        when 'cannot_tell' then 'too_few'
        when 'nothing_under_test' then 'not_applicable'
        else 'fail'
    end as verdict,
    release_verdicts.statement as headline,
    release_verdicts.measured_on,
    case
        when counted.n_pass = 0
            then 'No figure of this run is held by a gate.'
        when counted.first_untrusted_phase is null
            then
                'The checks of the machinery pass, so the figures below can be used.'
        else
            'Results from ' || counted.first_untrusted_phase
            || ' on do not count until this is fixed: an earlier phase fails.'
    end as trust,
    counted.first_untrusted_phase is null as is_trusted,
    counted.n_gates,
    counted.n_pass,
    counted.n_fail,
    counted.n_unmeasured,
    counted.n_too_few,
    counted.n_not_applicable,
    counted.n_waived,
    counted.n_errors,
    counted.n_warnings,
    counted.n_references
from release_verdicts
cross join counted
cross join runs
left join last_record
    on runs.run_id = last_record.run_id
