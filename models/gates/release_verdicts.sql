{#-
    What may be said of a release: one row for the warehouse, then one for each candidate.
    A waiver keeps a build green and lets nothing be released; too few questions excuse
    nothing either. Nothing here is better for a gate that is missing.
-#}
with

runs as (

    select * from {{ ref('runs') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

run_manifests as (

    select * from {{ ref('run_manifests') }}

),

-- Whom a gate tells of: the ground that all figures stand on, or a system.
subjects as (

    select
        *,
        subject in ('corpus', 'gold', 'index') as is_ground,
        severity = 'error' and (breach is not null or verdict = 'waived')
            as is_broken,
        severity = 'error' and verdict = 'too_few' as is_undecided,
        -- That a system is fast says nothing about what it answers, and a few answers
        -- that a person read do not speak for all.
        severity = 'error'
        and verdict = 'pass'
        and coalesce(capability, '') not in ('times', 'marked')
            as is_met,
        severity = 'warn' and breach is not null as is_warning,
        severity = 'error' and verdict <> 'not_applicable' as is_compared,
        -- Of what could not be measured at all, more is of no use.
        case when verdict = 'too_few' and n > 0 and n < min_n then min_n - n end
            as n_needed
    from gate_verdicts

),

ground as (

    select
        count(*) filter (where is_broken) as n_broken,
        count(*) filter (where is_undecided) as n_undecided,
        count(*) filter (where is_met) as n_met,
        min_by(gate_id, (phase, gate_id)) filter (where is_broken) as first_gate_id
    from subjects
    where is_ground

),

candidates as (

    select system_id
    from registered_systems
    where role = 'candidate'

),

of_candidates as (

    select
        candidates.system_id,
        count(*) filter (where subjects.is_broken) as n_broken,
        count(*) filter (where subjects.is_undecided) as n_undecided,
        count(*) filter (where subjects.is_met) as n_met,
        min_by(subjects.n_needed, (subjects.phase, subjects.gate_id))
        filter (where subjects.is_undecided) as n_needed,
        min_by(subjects.gate_id, (subjects.phase, subjects.gate_id))
        filter (where subjects.is_broken) as first_broken_id,
        min_by(subjects.gate_id, (subjects.phase, subjects.gate_id))
        filter (where subjects.is_undecided) as first_undecided_id,
        min_by(subjects.gate_id, (subjects.phase, subjects.gate_id))
        filter (where subjects.is_warning) as first_warning_id,
        count(*) filter (
            where
            subjects.is_compared
            and subjects.capability = 'answers'
        ) > 0 as has_answers_gated,
        count(*) filter (
            where
            subjects.is_compared
            and subjects.capability = 'cites'
        ) > 0 as has_citations_gated,
        count(*) filter (
            where
            subjects.is_compared
            and subjects.capability = 'ranks'
        ) > 0 as has_rankings_gated,
        count(*) filter (
            where
            subjects.is_compared
            and {{ gold_set_is('filings', 'subjects.gold_set') }}
        ) > 0 as has_filings_gated
    from candidates
    left join subjects
        on candidates.system_id = subjects.system_id
    group by candidates.system_id

),

-- Of worst to best: a warehouse that does not hold, then what its candidates show.
with_headlines as (

    select
        of_candidates.system_id,
        case
            when ground.n_broken > 0 then 'cannot_be_trusted'
            when of_candidates.n_broken > 0 then 'do_not_release'
            when of_candidates.n_undecided > 0 or of_candidates.n_met = 0
                then 'cannot_tell'
            else 'release'
        end as headline,
        of_candidates.n_broken,
        of_candidates.n_undecided,
        of_candidates.n_met,
        of_candidates.n_needed,
        coalesce(of_candidates.first_broken_id, of_candidates.first_undecided_id)
            as first_gate_id,
        of_candidates.first_warning_id,
        concat_ws(
            ', ',
            case when not of_candidates.has_answers_gated then 'answers' end,
            case when not of_candidates.has_citations_gated then 'citations' end,
            case when not of_candidates.has_rankings_gated then 'rankings' end,
            case
                when not of_candidates.has_filings_gated
                    then 'work on the filings'
            end
        ) as ungated
    from of_candidates
    cross join ground

),

all_candidates as (

    select
        count(*) as n_candidates,
        count(*) filter (where headline = 'do_not_release') as n_refused,
        count(*) filter (where headline = 'cannot_tell') as n_undecided
    from with_headlines

),

warehouse as (

    select
        case
            when ground.n_broken > 0 then 'cannot_be_trusted'
            when all_candidates.n_candidates = 0 then 'nothing_under_test'
            when all_candidates.n_refused > 0 then 'do_not_release'
            when all_candidates.n_undecided > 0 then 'cannot_tell'
            else 'release'
        end as headline,
        ground.n_broken,
        ground.n_undecided,
        ground.n_met,
        ground.first_gate_id
    from ground
    cross join all_candidates

),

collected as (

    select
        'warehouse' as subject,
        cast(null as varchar) as system_id,
        headline,
        n_broken,
        n_undecided,
        n_met,
        cast(null as bigint) as n_needed,
        first_gate_id,
        cast(null as varchar) as first_warning_id,
        '' as ungated
    from warehouse

    union all by name

    select
        'candidate' as subject,
        *
    from with_headlines

)

select
    runs.run_id,
    collected.subject,
    coalesce(collected.system_id, '') as system_id,
    run_manifests.system_version,
    collected.headline,
    collected.n_broken,
    collected.n_undecided,
    collected.n_met,
    collected.n_needed,
    collected.first_gate_id,
    collected.first_warning_id,
    collected.ungated
from collected
cross join runs
left join run_manifests
    on collected.system_id = run_manifests.system_id
