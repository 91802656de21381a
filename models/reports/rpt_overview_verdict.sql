with

runs as (

    select * from {{ ref('runs') }}

),

rpt_overview_gate_details as (

    select * from {{ ref('rpt_overview_gate_details') }}

),

recorded_runs as (

    select * from {{ ref('recorded_runs') }}

),

-- The order in which one mends: error gates first, phase by phase.
placed as (

    select
        *,
        row_number() over (
            order by
                breach is null, severity <> 'error', phase, gate_id
        ) as place
    from rpt_overview_gate_details

),

counted as (

    select
        {{ gate_counts() }},
        min(phase) filter (where not is_trusted) as first_untrusted_phase,
        min(statement) filter (where place = 1 and breach is not null)
            as first_statement
    from placed

),

last_record as (

    select
        run_id,
        max(recorded_at) as recorded_at
    from recorded_runs
    group by run_id

),

judged as (

    select
        *,
        {{ build_verdict(
            'n_errors', 'n_pass', 'n_errors_waived', 'n_errors_too_few'
        ) }} as verdict
    from counted

)

select
    runs.run_id,
    runs.corpus,
    runs.encoder,
    last_record.recorded_at,
    judged.verdict,
    case
        when judged.verdict = 'fail'
            then
                'Do not release: '
                || case
                    when judged.n_errors = 1 then '1 error gate is broken: '
                    else
                        cast(judged.n_errors as varchar)
                        || ' error gates are broken, first: '
                end
                || judged.first_statement || '.'
        when judged.verdict = 'unmeasured'
            then 'Nothing can be said of this run: no gate has passed or failed in it.'
        when judged.verdict = 'waived'
            then
                'Release only on a waiver: '
                || cast(judged.n_errors_waived as varchar)
                || ' error '
                || case
                    when judged.n_errors_waived = 1 then 'gate is' else 'gates are'
                end
                || ' broken and accepted for now.'
        when judged.verdict = 'too_few'
            then
                'Not known well enough to release: '
                || cast(judged.n_errors_too_few as varchar)
                || ' error '
                || case
                    when judged.n_errors_too_few = 1 then 'gate has'
                    else 'gates have'
                end
                || ' too few items to tell; no error gate is broken.'
        else
            'No gate stands against a release: no error gate is broken, and '
            || cast(judged.n_pass as varchar) || ' of '
            || cast(judged.n_gates - judged.n_not_applicable as varchar)
            || ' gates that apply pass.'
    end as headline,
    case
        when judged.n_pass = 0
            then 'No figure of this run is held by a gate.'
        when judged.first_untrusted_phase is null
            then
                'No phase that others stand on is broken: the figures that were '
                || 'measured can be believed.'
        else
            'Results from ' || judged.first_untrusted_phase
            || ' on are not to be trusted until this is mended: '
            || 'they stand on a phase that does not hold.'
    end as trust,
    case
        when judged.n_warnings = 0 then 'No warning.'
        when judged.n_errors = 0
            then
                cast(judged.n_warnings as varchar)
                || case when judged.n_warnings = 1 then ' warning' else ' warnings' end
                || ', first: ' || judged.first_statement || '.'
        else
            cast(judged.n_warnings as varchar)
            || case when judged.n_warnings = 1 then ' warning' else ' warnings' end
            || ' beside that.'
    end as warnings,
    judged.first_untrusted_phase is null as is_trusted,
    judged.n_gates,
    judged.n_pass,
    judged.n_fail,
    judged.n_unmeasured,
    judged.n_too_few,
    judged.n_not_applicable,
    judged.n_waived,
    judged.n_errors,
    judged.n_warnings
from judged
cross join runs
left join last_record
    on runs.run_id = last_record.run_id
