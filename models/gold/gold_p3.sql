with

int_p3_reviewed as (

    select * from {{ ref('int_p3_reviewed') }}

),

p3_review_outcomes as (

    select * from {{ ref('p3_review_outcomes') }}

),

py_questions_paraphrased as (

    select * from {{ ref('py_questions_paraphrased') }}

),

rejected as (

    select question_id
    from p3_review_outcomes
    where
        outcome = 'applied'
        and verdict = 'reject'

),

accepted as (

    select py_questions_paraphrased.*
    from py_questions_paraphrased
    left join rejected
        on py_questions_paraphrased.variant_id = rejected.question_id
    where
        py_questions_paraphrased.is_accepted
        and rejected.question_id is null

),

-- A variant asks for the same gold in other words.
varied as (

    select * from int_p3_reviewed

    union all

    select
        int_p3_reviewed.* replace (
            accepted.variant_id as question_id,
            accepted.question_text as question_text,
            int_p3_reviewed.gold_version || '~' as gold_version,
            'paraphrase:' || accepted.model as created_by
        )
    from int_p3_reviewed
    inner join accepted
        on int_p3_reviewed.question_id = accepted.question_id

)

select
    question_id,
    cik_int,
    company_name,
    years,
    question_text,
    answer_type,
    answer_text,
    answer_numeric,
    answer_unit,
    tolerance,
    evidence_sentence_ids,
    evidence_spans,
    retrieval_scope,
    difficulty,
    section_hints,
    notes,
    gold_version,
    created_by,
    created_at,
    curation_confidence,
    category
from varied
