{#-
    Citations as evidence can meet them: a page by its number, a cell by its row. A document
    that was not loaded is known by its name.
-#}
with

items as (

    select * from {{ ref('items') }}

),

answer_citations as (

    select *
    from {{ ref('answer_citations') }}
    where gold_set <> 'p3'

),

passages as (

    select * from {{ ref('passages') }}

),

-- A passage that the set does not have is none of its pages.
placed as (

    select
        answer_citations.*,
        answer_citations.gold_set as benchmark,
        items.question_id,
        case
            when passages.unit = 'page' then null
            when passages.is_rankable then passages.passage_id
            when passages.parent_id is not null
                then passages.parent_id
            when answer_citations.document is null then answer_citations.named
        end as found_passage_id
    from answer_citations
    inner join items
        on answer_citations.item_id = items.item_id
    left join passages
        on
            answer_citations.gold_set = passages.corpus_id
            and answer_citations.passage_id = passages.passage_id

),

referred as (

    select
        benchmark,
        system_id,
        question_id,
        found_passage_id as passage_id,
        case when found_passage_id is null then document_id end as document_id,
        case
            when found_passage_id is null and document_id is null then document
        end as document,
        case when found_passage_id is null then page end as page
    from placed

)

select
    benchmark,
    system_id,
    question_id,
    passage_id,
    document_id,
    document,
    page
from referred
group by
    benchmark,
    system_id,
    question_id,
    passage_id,
    document_id,
    document,
    page
