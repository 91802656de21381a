{#-
    Evidence as a citation can meet it: a page by its number, else the passage. Of a public set
    a place is a piece of evidence, so that two cells of a row, which is what can be cited, are
    one; a sentence of a filing has others beside it that say the same. Where a whole table is
    the evidence each of its rows stands for it, not the other way round: whoever cites the
    table for a row leaves the reader to look for it. Of a question on tables of filings each
    place counts by itself: another cell of the right row is a wrong source.
-#}
with

int_evidence_placed as (

    select *
    from {{ ref('int_evidence_placed') }}
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
        int_evidence_placed.item_id,
        case
            when
                int_evidence_placed.unit = 'sentence'
                or {{ gold_set_is('tables', 'int_evidence_placed.gold_set') }}
                then int_evidence_placed.evidence_id
        end as piece_id,
        case
            when int_evidence_placed.unit = 'page' then null
            when int_evidence_placed.passage_id is not null
                then int_evidence_placed.passage_id
            when int_evidence_placed.document is null
                then int_evidence_placed.evidence_id
        end as passage_id,
        case
            when int_evidence_placed.unit = 'page'
                then coalesce(passages.document_id, int_evidence_placed.document_id)
        end as document_id,
        case
            when
                int_evidence_placed.unit = 'page'
                and passages.document_id is null
                and int_evidence_placed.document_id is null
                then int_evidence_placed.document
        end as document,
        case
            when int_evidence_placed.unit = 'page'
                then coalesce(passages.page, int_evidence_placed.page)
        end as page
    from int_evidence_placed
    inner join item_answers
        on int_evidence_placed.item_id = item_answers.item_id
    left join passages
        on int_evidence_placed.evidence_id = passages.passage_id
    where
        int_evidence_placed.grade > 0
        and int_evidence_placed.mapping <> 'the set names no place'

),

placed as (

    select
        item_id,
        coalesce(
            piece_id,
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
            and passages.corpus_id <> 'filings'

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
