with

answer_citations as (

    select
        *,
        named as sentence_id
    from {{ ref('answer_citations') }}
    where gold_set = 'p3'

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

judgments as (

    select * from {{ ref('judgments') }}

)

select
    {{ question_page_id('items.gold_set', 'items.item_id') }} as page_id,
    answer_citations.system_id,
    answer_citations.citation_pos,
    answer_citations.sentence_id,
    sentences.sentence_id is not null as is_in_corpus,
    answer_citations.is_in_context,
    coalesce(judgments.grade > 0, false) as is_gold,
    -- What repeats the sentence needs no second copy of it.
    nullif(answer_citations.quote, sentences.sentence_text) as quote
from answer_citations
inner join items
    on answer_citations.item_id = items.item_id
inner join registered_systems
    on
        answer_citations.system_id = registered_systems.system_id
        and not registered_systems.is_null
left join sentences
    on answer_citations.sentence_id = sentences.sentence_id
left join judgments
    on
        items.gold_set = judgments.gold_set
        and items.item_id = judgments.item_id
        and answer_citations.sentence_id = judgments.passage_id
order by page_id, answer_citations.system_id, answer_citations.citation_pos
