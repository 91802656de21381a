with

runs as (

    select * from {{ ref('runs') }}

),

rpt_runs_builds as (

    select * from {{ ref('rpt_runs_builds') }}

),

rpt_runs_gates as (

    select * from {{ ref('rpt_runs_gates') }}

),

builds as (

    select
        count(*) as n_builds,
        count(*) filter (
            where is_comparable_on_anchors or is_comparable_on_questions
        ) as n_comparable,
        min(recorded_at) as first_at,
        max(recorded_at) as last_at
    from rpt_runs_builds

),

changes as (

    select
        count(*) filter (where change = 'broke') as n_broke,
        count(*) filter (where change = 'mended') as n_mended
    from rpt_runs_gates

)

-- The build that writes this row is among the recorded ones.
select
    runs.run_id,
    builds.n_builds,
    builds.n_comparable,
    builds.first_at,
    builds.last_at,
    changes.n_broke,
    changes.n_mended,
    case
        when builds.n_builds = 0
            then 'No build is recorded: this one has not come to its figures.'
        when builds.n_builds = 1
            then
                'One build is recorded: there is nothing to compare it with yet. The '
                || 'next build adds a point to every line here.'
        when builds.n_comparable <= 1
            then
                cast(builds.n_builds as varchar) || ' builds are recorded; of none '
                || 'before the latest is it known that it had the same corpus and '
                || 'encoder, and the same anchors or questions and gold, so nothing '
                || 'can be compared.'
        else
            cast(builds.n_builds as varchar) || ' builds are recorded, '
            || cast(builds.n_comparable as varchar)
            || ' of them comparable with the latest, itself counted.'
    end as told
from runs
cross join builds
cross join changes
