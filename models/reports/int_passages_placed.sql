{#-
    The sentence in which a passage of the filings stands: sentences themselves, and cells and rows
    of tables, which are a sentence of their section as well.
-#}
{{ config(materialized='view') }}

with

sentences as (

    select * from {{ ref('sentences') }}

),

table_cells as (

    select *
    from {{ ref('table_cells') }}
    where sentence_id is not null

)

select
    sentence_id as passage_id,
    sentence_id
from sentences

union all

select
    cell_id as passage_id,
    sentence_id
from table_cells

union all

select
    row_id as passage_id,
    min(sentence_id) as sentence_id
from table_cells
group by row_id
