with

run_manifests as (

    select * from {{ ref('run_manifests') }}

),

int_builds_compared as (

    select * from {{ ref('int_builds_compared') }}

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
        int_builds_compared.*,
        shared.readings_hash,
        shared.gold_versions,
        shared.python_version
    from int_builds_compared
    left join shared
        on int_builds_compared.run_id = shared.run_id
    where int_builds_compared.is_latest

),

parts as (

    select
        listed.part_pos,
        listed.part,
        listed.meaning,
        listed.decides
    from (
        values
        (1, 'corpus', 'Every sentence of every filing.', 'all figures'),
        (2, 'anchors', 'The anchors drawn and the windows around them.', 'P1 and P2'),
        (3, 'questions', 'Ids and texts of the questions.', 'P3 and answers'),
        (
            4, 'readings', 'Companies and years read from the questions.',
            'filtered search'
        ),
        (5, 'gold', 'What counts as right: judgments and answers.', 'all figures'),
        (6, 'suites', 'Versions of the question suites.', 'P3 and answers'),
        (7, 'encoder', 'The encoder as configured.', 'dense search'),
        (
            8, 'figures', 'All figures of the build: the same hash, the same figures.',
            'this page'
        ),
        (9, 'code', 'Commit of the checkout.', 'all figures'),
        (10, 'python', 'Version of Python.', 'all figures')
    ) as listed (part_pos, part, meaning, decides)

)

select
    parts.part_pos,
    parts.part,
    parts.meaning,
    parts.decides,
    case parts.part
        when 'corpus' then latest.corpus_hash
        when 'anchors' then latest.anchors_hash
        when 'questions' then latest.questions_hash
        when 'readings' then latest.readings_hash
        when 'gold' then latest.gold_hash
        when 'suites' then latest.gold_versions
        when 'encoder' then latest.encoder
        when 'figures' then latest.results_hash
        when 'code'
            then
                latest.git_commit || case
                    when latest.has_uncommitted_changes
                        then ', with changes not committed'
                    else ''
                end
        when 'python' then latest.python_version
    end as fingerprint,
    case when fingerprint is null then 'unmeasured' else 'measured' end as status
from latest
cross join parts
