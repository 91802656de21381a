{#-
    Cells beside an anchor that is a cell: of its table, at most two rows away in any column, or
    one figure away in its own row. What reads exactly as the anchor is no gold.
-#}
with

anchors as (

    select *
    from {{ ref('anchors') }}
    where cell_id is not null

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

passages as (

    select *
    from {{ ref('passages') }}
    where
        corpus_id = 'filings'
        and unit = 'cell'

),

-- Columns of signs and blanks lie between the figures of a row.
placed as (

    select
        table_cells.cell_id,
        table_cells.table_id,
        table_cells.row_pos,
        passages.text_hash,
        row_number() over (
            partition by table_cells.row_id order by table_cells.col_pos
        ) as place
    from table_cells
    inner join passages
        on table_cells.cell_id = passages.passage_id

),

anchored as (

    select
        anchors.gold_set,
        anchors.item_id,
        placed.*
    from anchors
    inner join placed
        on anchors.cell_id = placed.cell_id

)

select
    anchored.gold_set,
    anchored.item_id,
    placed.cell_id,
    cast(
        greatest(abs(placed.row_pos - anchored.row_pos), 1) as integer
    ) as distance
from anchored
inner join placed
    on
        anchored.table_id = placed.table_id
        and abs(placed.row_pos - anchored.row_pos) <= 2
where
    placed.cell_id <> anchored.cell_id
    and placed.text_hash <> anchored.text_hash
    and (
        placed.row_pos <> anchored.row_pos
        or abs(placed.place - anchored.place) = 1
    )
