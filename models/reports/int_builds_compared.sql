with

recorded_runs as (

    select * from {{ ref('recorded_runs') }}

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

)

select
    *,
    'build ' || cast(build_no as varchar) as build,
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
