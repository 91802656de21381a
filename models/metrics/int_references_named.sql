{#-
    Evidence as a citation can meet it: a page by its number, else the passage. Of a public set
    a place is a piece of evidence, so that two cells of a row, which is what can be cited, are
    one; a sentence of a filing has others beside it that say the same. Where a whole table is
    the evidence each of its rows stands for it, not the other way round: whoever cites the
    table for a row leaves the reader to look for it.
-#}
with

judgments as (

    select *
    from {{ ref('judgments') }}
    where evidence_kind = 'text'

),

passages as (

    select * from {{ ref('passages') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

referred as (

    select
        judgments.item_id,
        case when judgments.unit = 'sentence' then judgments.evidence_id end
            as sentence_id,
        case
            when judgments.unit = 'page' then null
            when judgments.passage_id is not null then judgments.passage_id
            when judgments.document is null then judgments.evidence_id
        end as passage_id,
        case
            when judgments.unit = 'page'
                then coalesce(passages.document_id, judgments.document_id)
        end as document_id,
        case
            when
                judgments.unit = 'page'
                and passages.document_id is null
                and judgments.document_id is null
                then judgments.document
        end as document,
        case
            when judgments.unit = 'page'
                then coalesce(passages.page, judgments.page)
        end as page
    from judgments
    inner join item_answers
        on judgments.item_id = item_answers.item_id
    left join passages
        on judgments.evidence_id = passages.passage_id
    where
        judgments.grade > 0
        and judgments.mapping <> 'the set names no place'

),

placed as (

    select
        item_id,
        coalesce(
            sentence_id,
            passage_id,
            concat_ws('#', 'document ' || document_id, 'name ' || document, page)
        ) as evidence_id,
        passage_id,
        document_id,
        document,
        page
    from referred
    where coalesce(passage_id, document_id, document) is not null

),

with_parts as (

    select
        item_id,
        evidence_id,
        passage_id,
        document_id,
        document,
        page
    from placed

    union all

    select
        placed.item_id,
        placed.evidence_id,
        passages.passage_id,
        placed.document_id,
        placed.document,
        placed.page
    from placed
    inner join passages
        on
            placed.passage_id = passages.parent_id
            and passages.is_rankable

)

select
    item_id,
    evidence_id,
    passage_id,
    document_id,
    document,
    page
from with_parts
group by
    item_id,
    evidence_id,
    passage_id,
    document_id,
    document,
    page
