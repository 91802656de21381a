{#-
    Where the passages stand of which a metric of rankings asks more than who they are: the text
    of a sentence that is first, the row, column and period of a first cell and of those that are
    asked for, the pages that were ranked and those that are evidence.
-#}
{{ config(materialized = 'view') }}

with

rankings as (

    select * from {{ ref('rankings') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

pages as (

    select *
    from {{ ref('passages') }}
    where unit = 'page'

),

asked_for as (

    select passage_id
    from rankings
    where rank = 1 or unit = 'page'

    union

    select passage_id
    from judgments
    where unit = 'cell'

    union

    select evidence_id as passage_id
    from judgments
    where unit = 'page'

)

select
    sentences.sentence_id as passage_id,
    sentences.text_hash,
    cast(null as varchar) as document_id,
    cast(null as integer) as page,
    cast(null as varchar) as row_id,
    cast(null as varchar) as table_id,
    cast(null as integer) as col_pos,
    cast(null as date) as period_start,
    cast(null as date) as period_end
from sentences
semi join asked_for
    on sentences.sentence_id = asked_for.passage_id

union all

select
    table_cells.cell_id as passage_id,
    cast(null as varchar) as text_hash,
    table_cells.filing_id as document_id,
    cast(null as integer) as page,
    table_cells.row_id,
    table_cells.table_id,
    table_cells.col_pos,
    table_cells.period_start,
    table_cells.period_end
from table_cells
semi join asked_for
    on table_cells.cell_id = asked_for.passage_id

union all

select
    pages.passage_id,
    cast(null as varchar) as text_hash,
    pages.document_id,
    pages.page,
    cast(null as varchar) as row_id,
    cast(null as varchar) as table_id,
    cast(null as integer) as col_pos,
    cast(null as date) as period_start,
    cast(null as date) as period_end
from pages
semi join asked_for
    on pages.passage_id = asked_for.passage_id
