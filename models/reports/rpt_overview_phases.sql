with

runs as (

    select * from {{ ref('runs') }}

),

rpt_overview_gate_details as (

    select * from {{ ref('rpt_overview_gate_details') }}

),

phases as (

    select
        listed.phase,
        listed.title,
        listed.question
    from (
        values
        ('P0', 'Machinery', 'Were all records read, embedded and searched?'),
        ('P1', 'Neighbours', 'Does the index find what stands beside a sentence?'),
        ('P2', 'Short sections', 'Does that hold where sections are short?'),
        ('P3', 'Evidence', 'Is the evidence of a question found?'),
        ('P4', 'Answers', 'Are answers right, cited and supported?')
    ) as listed (phase, title, question)

),

counted as (

    select
        phase,
        {{ gate_counts() }},
        bool_and(is_trusted) as is_trusted
    from rpt_overview_gate_details
    group by phase

)

-- A phase without a gate is shown: nobody watches it.
select
    runs.run_id,
    phases.phase,
    phases.title,
    phases.question,
    case
        when counted.n_errors > 0 or counted.n_warnings > 0 then 'fail'
        when coalesce(counted.n_pass, 0) = 0
            then
                case
                    when counted.n_gates = counted.n_not_applicable
                        then 'not_applicable'
                    when counted.n_waived > 0 then 'waived'
                    when counted.n_too_few > 0 then 'too_few'
                    else 'unmeasured'
                end
        when counted.n_waived > 0 then 'waived'
        when counted.n_too_few > 0 then 'too_few'
        else 'pass'
    end as verdict,
    coalesce(counted.is_trusted, true) as is_trusted,
    coalesce(counted.n_gates, 0) as n_gates,
    coalesce(counted.n_pass, 0) as n_pass,
    coalesce(counted.n_fail, 0) as n_fail,
    coalesce(counted.n_unmeasured, 0) as n_unmeasured,
    coalesce(counted.n_too_few, 0) as n_too_few,
    coalesce(counted.n_not_applicable, 0) as n_not_applicable,
    coalesce(counted.n_waived, 0) as n_waived,
    coalesce(counted.n_errors, 0) as n_errors,
    coalesce(counted.n_warnings, 0) as n_warnings,
    coalesce(counted.n_references, 0) as n_references
from phases
cross join runs
left join counted
    on phases.phase = counted.phase
