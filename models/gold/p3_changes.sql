with

p3_baseline as (

    select * from {{ ref('p3_baseline') }}

),

int_p3_fingerprints as (

    select * from {{ ref('int_p3_fingerprints') }}

),

p3_contents as (

    select * from {{ ref('p3_contents') }}

),

is_frozen as (

    select count(*) > 0 as has_baseline
    from p3_baseline

),

compared as (

    select
        coalesce(int_p3_fingerprints.question_id, frozen.question_id) as question_id,
        frozen.question_id as frozen_id,
        int_p3_fingerprints.question_id as current_id,
        frozen.content_hash as frozen_hash,
        int_p3_fingerprints.content_hash,
        frozen.question_text as frozen_question_text,
        int_p3_fingerprints.question_text,
        frozen.answer_text as frozen_answer_text,
        int_p3_fingerprints.answer_text,
        (
            int_p3_fingerprints.answer_type is distinct from frozen.answer_type
            or int_p3_fingerprints.answer_unit is distinct from frozen.answer_unit
            or int_p3_fingerprints.answer_text is distinct from frozen.answer_text
            or int_p3_fingerprints.answer_numeric is distinct from frozen.answer_numeric
        ) as has_other_answer,
        (
            int_p3_fingerprints.evidence_sentence_ids
            is distinct from frozen.evidence_sentence_ids
        ) as has_other_evidence,
        frozen.answer_numeric as frozen_answer_numeric,
        int_p3_fingerprints.answer_numeric,
        frozen.evidence_sentence_ids as frozen_evidence_sentence_ids,
        int_p3_fingerprints.evidence_sentence_ids
    from int_p3_fingerprints
    full outer join p3_baseline as frozen
        on int_p3_fingerprints.question_id = frozen.question_id

)

-- Without a baseline there is nothing to compare with, and no row.
select
    compared.question_id,
    case
        when compared.frozen_id is null then 'added'
        when compared.current_id is null then 'removed'
        when compared.has_other_answer then 'answer_changed'
        when compared.has_other_evidence then 'evidence_changed'
        else 'wording_changed'
    end as change,
    coalesce(p3_contents.review, 'not_reviewed') as review,
    compared.frozen_question_text,
    compared.question_text,
    compared.frozen_answer_text,
    compared.answer_text,
    compared.frozen_answer_numeric,
    compared.answer_numeric,
    compared.frozen_evidence_sentence_ids,
    compared.evidence_sentence_ids
from compared
cross join is_frozen
left join p3_contents
    on compared.question_id = p3_contents.question_id
where
    is_frozen.has_baseline
    and compared.content_hash is distinct from compared.frozen_hash
