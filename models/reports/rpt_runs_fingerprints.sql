with

recorded_runs as (

    select * from {{ ref('recorded_runs') }}

),

run_manifests as (

    select * from {{ ref('run_manifests') }}

),

rpt_runs_builds as (

    select * from {{ ref('rpt_runs_builds') }}

),

shared as (

    select
        run_id,
        min(readings_hash) as readings_hash,
        min(gold_versions) as gold_versions,
        min(python_version) as python_version
    from run_manifests
    group by run_id

),

-- A hash says whether two runs had the same thing before them, nothing of what it was.
latest as (

    select
        recorded_runs.*,
        shared.readings_hash,
        shared.gold_versions,
        shared.python_version
    from recorded_runs
    inner join rpt_runs_builds
        on
            recorded_runs.record_id = rpt_runs_builds.record_id
            and rpt_runs_builds.is_latest
    left join shared
        on recorded_runs.run_id = shared.run_id

),

listed as (

    select
        1 as part_pos,
        'corpus' as part,
        'Every sentence of every filing.' as meaning,
        'all figures' as decides,
        corpus_hash as fingerprint
    from latest

    union all

    select
        2 as part_pos,
        'anchors' as part,
        'The anchors drawn and the windows around them.' as meaning,
        'P1 and P2' as decides,
        anchors_hash as fingerprint
    from latest

    union all

    select
        3 as part_pos,
        'questions' as part,
        'Ids and texts of the questions.' as meaning,
        'P3 and answers' as decides,
        questions_hash as fingerprint
    from latest

    union all

    select
        4 as part_pos,
        'readings' as part,
        'Companies and years read from the questions.' as meaning,
        'filtered search' as decides,
        readings_hash as fingerprint
    from latest

    union all

    select
        5 as part_pos,
        'gold' as part,
        'What counts as right: judgments and answers.' as meaning,
        'all figures' as decides,
        gold_hash as fingerprint
    from latest

    union all

    select
        6 as part_pos,
        'suites' as part,
        'Versions of the question suites.' as meaning,
        'P3 and answers' as decides,
        gold_versions as fingerprint
    from latest

    union all

    select
        7 as part_pos,
        'encoder' as part,
        'The encoder as configured.' as meaning,
        'dense search' as decides,
        encoder as fingerprint
    from latest

    union all

    select
        8 as part_pos,
        'figures' as part,
        'All figures of the build: the same hash, the same figures.' as meaning,
        'this page' as decides,
        results_hash as fingerprint
    from latest

    union all

    select
        9 as part_pos,
        'code' as part,
        'Commit of the checkout.' as meaning,
        'all figures' as decides,
        git_commit || case
            when has_uncommitted_changes then ', with changes not committed' else ''
        end as fingerprint
    from latest

    union all

    select
        10 as part_pos,
        'python' as part,
        'Version of Python.' as meaning,
        'all figures' as decides,
        python_version as fingerprint
    from latest

)

select
    part_pos,
    part,
    meaning,
    decides,
    case when fingerprint is null then 'unmeasured' else 'measured' end as status,
    fingerprint
from listed
