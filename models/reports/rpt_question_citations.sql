with

answer_citations as (

    select * from {{ ref('answer_citations') }}

),

questions as (

    select * from {{ ref('questions') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

gold_judgments as (

    select * from {{ ref('gold_judgments') }}

)

select
    {{ question_page_id('questions.gold_set', 'questions.item_id') }} as page_id,
    answer_citations.system_id,
    answer_citations.citation_pos,
    answer_citations.sentence_id,
    sentences.sentence_id is not null as is_in_corpus,
    answer_citations.is_in_context,
    coalesce(gold_judgments.grade > 0, false) as is_gold,
    -- What repeats the sentence needs no second copy of it.
    nullif(answer_citations.quote, sentences.sentence_text) as quote
from answer_citations
inner join questions
    on answer_citations.item_id = questions.item_id
inner join registered_systems
    on
        answer_citations.system_id = registered_systems.system_id
        and not registered_systems.is_null
left join sentences
    on answer_citations.sentence_id = sentences.sentence_id
left join gold_judgments
    on
        questions.gold_set = gold_judgments.gold_set
        and questions.item_id = gold_judgments.item_id
        and answer_citations.sentence_id = gold_judgments.sentence_id
order by page_id, answer_citations.system_id, answer_citations.citation_pos
