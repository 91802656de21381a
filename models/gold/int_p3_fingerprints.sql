with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

)

select
    question_id,
    {{ p3_content_hash() }} as content_hash,
    question_text,
    answer_type,
    answer_text,
    answer_numeric,
    answer_unit,
    array_to_string(evidence_sentence_ids, ' | ') as evidence_sentence_ids
from gold_p3
