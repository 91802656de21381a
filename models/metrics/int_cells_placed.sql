{#-
    The first cell of a ranking against the cells that hold the figures asked for: whether its
    row is one of theirs, whether its column is, whether its period is.
-#}
with

rankings as (

    select *
    from {{ ref('rankings') }}
    where
        unit = 'cell'
        and rank = 1
        and {{ gold_set_is('tables', 'gold_set') }}

),

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        unit = 'cell'
        and {{ gold_set_is('tables', 'gold_set') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

judged as (

    select
        judgments.item_id,
        table_cells.cell_id,
        table_cells.row_id,
        table_cells.table_id,
        table_cells.filing_id,
        table_cells.col_pos,
        table_cells.period_start,
        table_cells.period_end
    from judgments
    inner join table_cells
        on judgments.passage_id = table_cells.cell_id

),

firsts as (

    select
        rankings.system_id,
        rankings.item_id,
        table_cells.cell_id,
        table_cells.row_id,
        table_cells.table_id,
        table_cells.filing_id,
        table_cells.col_pos,
        table_cells.period_start,
        table_cells.period_end
    from rankings
    inner join table_cells
        on rankings.passage_id = table_cells.cell_id

)

select
    firsts.system_id,
    firsts.item_id,
    bool_or(firsts.row_id = judged.row_id) as is_row_right,
    bool_or(
        firsts.table_id = judged.table_id and firsts.col_pos = judged.col_pos
    ) as is_column_right,
    -- A period is right in the filing that was asked about. A cell asked for has the
    -- right one though print leaves it out.
    bool_or(
        firsts.cell_id = judged.cell_id
        or (
            firsts.filing_id = judged.filing_id
            and coalesce(firsts.period_end = judged.period_end, false)
            and firsts.period_start is not distinct from judged.period_start
        )
    ) as is_period_right
from firsts
inner join judged
    on firsts.item_id = judged.item_id
group by firsts.system_id, firsts.item_id
