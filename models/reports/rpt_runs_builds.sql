with

recorded_runs as (

    select * from {{ ref('recorded_runs') }}

),

recorded_gates as (

    select * from {{ ref('recorded_gates') }}

),

numbered as (

    select
        *,
        row_number() over (order by recorded_at, record_id) as build_no,
        row_number() over (order by recorded_at desc, record_id desc) = 1
            as is_latest
    from recorded_runs

),

latest as (

    select *
    from numbered
    where is_latest

),

gates as (

    select
        record_id,
        {{ gate_counts() }}
    from recorded_gates
    group by record_id

),

-- A hash that an old build did not keep yet is not known to be the same. What is found
-- and answered depends on all that was searched: a corpus that grew asks another thing.
compared as (

    select
        numbered.*,
        gates.n_gates,
        gates.n_pass,
        gates.n_errors,
        gates.n_warnings,
        gates.n_errors_waived,
        gates.n_errors_too_few,
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
    left join gates
        on numbered.record_id = gates.record_id

)

select
    record_id,
    cast(build_no as integer) as build_no,
    recorded_at,
    'build ' || cast(build_no as varchar) as build,
    is_latest,
    run_id,
    evaluation_id,
    corpus,
    encoder,
    n_filings,
    n_questions,
    n_figures,
    finrag_version,
    substr(git_commit, 1, 10) as git_commit,
    has_uncommitted_changes,
    {{ build_verdict(
        'n_errors', 'n_pass', 'n_errors_waived', 'n_errors_too_few'
    ) }} as verdict,
    n_gates,
    n_pass,
    n_errors,
    n_warnings,
    n_errors_waived,
    n_errors_too_few,
    is_same_corpus,
    is_same_anchors,
    is_same_questions,
    is_same_gold,
    is_same_encoder,
    is_same_results,
    is_same_corpus and is_same_anchors and is_same_encoder
        as is_comparable_on_anchors,
    is_same_corpus and is_same_questions and is_same_gold and is_same_encoder
        as is_comparable_on_questions,
    case
        when is_latest then 'This is the latest build.'
        when not is_same_encoder
            then 'Not comparable: embedded by ' || encoder || '.'
        when not is_same_corpus then 'Not comparable: another corpus.'
        when
            is_same_anchors and is_same_questions and is_same_gold and is_same_results
            then 'The same figures as the latest build.'
        when is_same_anchors and is_same_questions and is_same_gold
            then 'Same corpus, anchors, questions and gold: figures can be compared.'
        when is_same_questions and is_same_gold
            then
                'Same corpus, questions and gold: figures of questions can be '
                || 'compared, those of anchors cannot.'
        when is_same_anchors
            then
                'Same corpus and anchors: figures of anchors can be compared, those of '
                || 'questions cannot.'
        else 'Not comparable: other anchors, questions or gold.'
    end as comparability
from compared
