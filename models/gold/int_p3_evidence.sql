with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

counted_lists as (

    select * from {{ ref('counted_lists') }}

),

risk_mentions as (

    select * from {{ ref('risk_mentions') }}

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

),

-- Every sentence that states a whole list states all of it.
lists_stated as (

    select
        sentence_id,
        min(list_kind) as list_kind
    from counted_lists
    where is_current
    group by sentence_id

),

risks_told as (

    select sentence_id
    from risk_mentions
    where is_telling
    group by sentence_id

)

-- Ids that name no sentence of the corpus are found by question_flags.
select
    listed.question_id,
    listed.category,
    listed.answer_type,
    listed.answer_numeric,
    listed.answer_unit,
    listed.sentence_id,
    -- What copies say is one piece of evidence, and so is a list stated several times.
    min(listed.sentence_id) over (
        partition by
            listed.question_id,
            sentences.filing_id,
            case
                when listed.category in ('M', 'T') then listed.sentence_id
                when listed.category = 'F' and lists_stated.list_kind is not null
                    then 'list ' || lists_stated.list_kind
                else sentences.text_hash
            end
    ) as evidence_id,
    -- A broad question asks for a topic, which any telling sentence on it answers.
    coalesce(listed.category in ('C', 'D', 'E'), false)
    and risks_told.sentence_id is not null as is_topic,
    sentences.filing_id,
    sentences.sentence_text,
    sentences.text_hash,
    sentences.token_count,
    {{ word_set('sentences.sentence_text') }} as words
from listed
inner join sentences
    on listed.sentence_id = sentences.sentence_id
left join lists_stated
    on listed.sentence_id = lists_stated.sentence_id
left join risks_told
    on listed.sentence_id = risks_told.sentence_id
