{#-
    Judgments by the piece of evidence that an answer needs. Of a question on tables these are
    the cells that it rests on: a sentence or row that holds two of them counts for both. Such
    evidence may be cited by its cell, row, table or section; a search returns no table or
    section.
-#}
with

judgments as (

    select * from {{ ref('judgments') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

evident_cells as (

    select
        judgments.item_id,
        table_cells.cell_id,
        table_cells.sentence_id
    from judgments
    inner join table_cells
        on judgments.evidence_id = table_cells.cell_id
    where
        judgments.unit = 'cell'
        and {{ gold_set_is('tables', 'judgments.gold_set') }}
    group by judgments.item_id, table_cells.cell_id, table_cells.sentence_id

),

placed as (

    select
        judgments.* replace (
            coalesce(evident_cells.cell_id, judgments.evidence_id) as evidence_id
        )
    from judgments
    left join evident_cells
        on
            judgments.item_id = evident_cells.item_id
            and judgments.evidence_id = evident_cells.sentence_id

),

in_tables as (

    select *
    from placed
    where {{ gold_set_is('tables', 'gold_set') }}

)

select * from placed

union all

select in_tables.* replace (table_cells.table_id as passage_id, 'table' as unit)
from in_tables
inner join table_cells
    on in_tables.passage_id = table_cells.cell_id

union all

select in_tables.* replace (sentences.section_id as passage_id, 'section' as unit)
from in_tables
inner join sentences
    on in_tables.passage_id = sentences.sentence_id
