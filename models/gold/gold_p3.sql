with

int_p3_varied as (

    select * from {{ ref('int_p3_varied') }}

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
from int_p3_varied
