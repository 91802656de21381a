with

int_p3_worded as (

    select * from {{ ref('int_p3_worded') }}

),

stg_p3__questions as (

    select * from {{ ref('stg_p3__questions') }}

),

-- A suite of one's own goes before what is derived: an id that both use belongs to the
-- suite.
unioned as (

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
        category,
        'suite' as origin
    from stg_p3__questions

    union all

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
        category,
        'generated' as origin
    from int_p3_worded

)

select *
from unioned
qualify
    row_number() over (
        partition by question_id order by origin desc
    ) = 1
