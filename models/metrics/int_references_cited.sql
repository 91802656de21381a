{#-
    Citations as evidence can meet it: a page by its number, a cell by its row. A document
    that was not loaded is known by its name, and so is a sentence that is in no filing.
-#}
with

items as (

    select * from {{ ref('items') }}

),

answer_citations as (

    select * from {{ ref('answer_citations') }}

),

passages as (

    select * from {{ ref('passages') }}

),

documents as (

    select * from {{ ref('documents') }}

),

-- A passage that the set does not have is none of its pages.
placed as (

    select
        answer_citations.*,
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
            items.corpus_id = passages.corpus_id
            and answer_citations.passage_id = passages.passage_id

),

referred as (

    select
        system_id,
        item_id,
        document_id as cited_document_id,
        found_passage_id as passage_id,
        case when found_passage_id is null then document_id end as document_id,
        case
            when found_passage_id is null and document_id is null then document
        end as document,
        case when found_passage_id is null then page end as page
    from placed

),

distinct_places as (

    select
        system_id,
        item_id,
        passage_id,
        document_id,
        document,
        page,
        max(cited_document_id) as cited_document_id
    from referred
    group by
        system_id,
        item_id,
        passage_id,
        document_id,
        document,
        page

)

select
    distinct_places.system_id,
    distinct_places.item_id,
    coalesce(
        distinct_places.passage_id,
        concat_ws(
            '#',
            'document ' || distinct_places.document_id,
            'name ' || distinct_places.document,
            distinct_places.page
        )
    ) as place_id,
    distinct_places.passage_id,
    distinct_places.document_id,
    distinct_places.document,
    distinct_places.page,
    documents.cik_int as cited_cik_int,
    documents.report_year as cited_year
from distinct_places
left join documents
    on distinct_places.cited_document_id = documents.document_id
