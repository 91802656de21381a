with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

listed as (

    select distinct
        question_id,
        category,
        answer_type,
        answer_numeric,
        answer_unit,
        unnest(evidence_sentence_ids) as sentence_id
    from gold_p3

)

-- Ids that name no sentence of the corpus are found by question_flags.
select
    listed.question_id,
    listed.category,
    listed.answer_type,
    listed.answer_numeric,
    listed.answer_unit,
    listed.sentence_id,
    sentences.filing_id,
    sentences.sentence_text,
    sentences.text_hash,
    sentences.token_count,
    {{ word_set('sentences.sentence_text') }} as words
from listed
inner join sentences
    on listed.sentence_id = sentences.sentence_id
