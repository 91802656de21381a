{#-
    Revenue facts of one axis or two, of the periods whose total is known, and the cell in which
    each is printed. That a fact is of operating segments is no axis of its own.
-#}
with

facts as (

    select * from {{ ref('facts') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

tables as (

    select * from {{ ref('tables') }}

),

blocks as (

    select * from {{ ref('blocks') }}

),

int_revenue_totals as (

    select * from {{ ref('int_revenue_totals') }}

),

marked_rows as (

    {{ marks_by('row_pos', 'is_label') }}

),

qualified as (

    select
        facts.* replace (
            {{ own_dimensions('facts.dimensions') }} as dimensions
        ),
        int_revenue_totals.is_filing_period
    from facts
    inner join int_revenue_totals
        on
            facts.filing_id = int_revenue_totals.filing_id
            and facts.period_start = int_revenue_totals.period_start
            and facts.period_end = int_revenue_totals.period_end
            and facts.unit = int_revenue_totals.currency
    where
        facts.value is not null
        and {{ is_revenue_concept('facts.concept') }}

)

select
    qualified.filing_id,
    qualified.fact_id,
    qualified.period_end,
    qualified.dimensions,
    qualified.value,
    pow(10, greatest(-coalesce(qualified.decimals, 0), 0)) as printed_unit,
    table_cells.table_id,
    blocks.block_pos,
    table_cells.cell_id,
    table_cells.row_pos,
    table_cells.col_pos,
    table_cells.row_path,
    table_cells.column_path,
    table_cells.scale,
    coalesce(marked_rows.marks, []) as footnote_marks
from qualified
left join table_cells
    on qualified.cell_id = table_cells.cell_id
left join marked_rows
    on
        table_cells.table_id = marked_rows.table_id
        and table_cells.row_pos = marked_rows.row_pos
left join tables
    on table_cells.table_id = tables.table_id
left join blocks
    on tables.block_id = blocks.block_id
where len(qualified.dimensions) between 1 and 2
