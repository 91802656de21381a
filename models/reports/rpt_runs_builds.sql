with

recorded_runs as (

    select * from {{ ref('recorded_runs') }}

),

recorded_gates as (

    select * from {{ ref('recorded_gates') }}

),

run_manifests as (

    select * from {{ ref('run_manifests') }}

),

numbered as (

    select
        *,
        cast(row_number() over (order by recorded_at, record_id) as integer)
            as build_no,
        row_number() over (order by recorded_at desc, record_id desc) = 1
            as is_latest
    from recorded_runs

),

latest as (

    select *
    from numbered
    where is_latest

),

-- A hash that an old build did not keep yet is not known to be the same. What is found
-- and answered depends on all that was searched: a corpus that grew asks another thing.
compared as (

    select
        numbered.*,
        coalesce(numbered.corpus_hash = latest.corpus_hash, false)
            as is_same_corpus,
        coalesce(numbered.anchors_hash = latest.anchors_hash, false)
            as is_same_anchors,
        coalesce(numbered.questions_hash = latest.questions_hash, false)
            as is_same_questions,
        coalesce(numbered.gold_hash = latest.gold_hash, false) as is_same_gold,
        coalesce(numbered.encoder = latest.encoder, false) as is_same_encoder,
        coalesce(numbered.results_hash = latest.results_hash, false)
            as is_same_results
    from numbered
    cross join latest

),

gates as (

    select
        record_id,
        {{ gate_counts() }}
    from recorded_gates
    group by record_id

),

-- All systems of a run have these in common; those of earlier runs are not kept.
shared as (

    select
        run_id,
        min(readings_hash) as readings_hash,
        min(gold_versions) as gold_versions,
        min(python_version) as python_version
    from run_manifests
    group by run_id

)

select
    compared.record_id,
    compared.build_no,
    compared.recorded_at,
    'build ' || cast(compared.build_no as varchar) as build,
    compared.is_latest,
    compared.run_id,
    compared.evaluation_id,
    compared.corpus,
    compared.encoder,
    compared.n_filings,
    compared.n_questions,
    compared.n_figures,
    compared.finrag_version,
    compared.git_commit,
    compared.has_uncommitted_changes,
    compared.corpus_hash,
    compared.anchors_hash,
    compared.questions_hash,
    compared.gold_hash,
    compared.results_hash,
    compared.answers_hash,
    shared.readings_hash,
    shared.gold_versions,
    shared.python_version,
    {{ build_verdict(
        'gates.n_errors',
        'gates.n_pass',
        'gates.n_errors_waived',
        'gates.n_errors_too_few',
    ) }} as verdict,
    gates.n_gates,
    gates.n_pass,
    gates.n_errors,
    gates.n_warnings,
    gates.n_errors_waived,
    gates.n_errors_too_few,
    compared.is_same_corpus,
    compared.is_same_anchors,
    compared.is_same_questions,
    compared.is_same_gold,
    compared.is_same_encoder,
    compared.is_same_results,
    compared.is_same_corpus
    and compared.is_same_anchors
    and compared.is_same_encoder
        as is_comparable_on_anchors,
    compared.is_same_corpus
    and compared.is_same_questions
    and compared.is_same_gold
    and compared.is_same_encoder
        as is_comparable_on_questions,
    case
        when compared.is_latest then 'This is the latest build.'
        when not compared.is_same_encoder
            then 'Not comparable: embedded by ' || compared.encoder || '.'
        when not compared.is_same_corpus then 'Not comparable: another corpus.'
        when
            compared.is_same_anchors
            and compared.is_same_questions
            and compared.is_same_gold
            and compared.is_same_results
            then 'The same figures as the latest build.'
        when
            compared.is_same_anchors
            and compared.is_same_questions
            and compared.is_same_gold
            then 'Same corpus, anchors, questions and gold: figures can be compared.'
        when compared.is_same_questions and compared.is_same_gold
            then
                'Same corpus, questions and gold: figures of questions can be '
                || 'compared, those of anchors cannot.'
        when compared.is_same_anchors
            then
                'Same corpus and anchors: figures of anchors can be compared, those of '
                || 'questions cannot.'
        else 'Not comparable: other anchors, questions or gold.'
    end as comparability
from compared
left join gates
    on compared.record_id = gates.record_id
left join shared
    on compared.run_id = shared.run_id
