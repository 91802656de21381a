{#-
    Cells of tables that hold data, each with all that names it: what passages and chunks say of
    a table.
-#}
with

tables as (

    select * from {{ ref('tables') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

)

select
    table_cells.cell_id,
    table_cells.row_id,
    table_cells.table_id,
    table_cells.filing_id,
    table_cells.sentence_id,
    table_cells.row_pos,
    table_cells.col_pos,
    tables.caption,
    nullif(array_to_string(table_cells.row_path, ' > '), '') as row_words,
    concat_ws(
        ': ',
        nullif(array_to_string(table_cells.column_path, ' > '), ''),
        table_cells.cell_text
        -- What the print of the cell itself shows is not said twice.
        || case
            when table_cells.scale_source = 'cell' then ''
            when table_cells.scale = 3 then ' thousand'
            when table_cells.scale = 6 then ' million'
            when table_cells.scale = 9 then ' billion'
            else ''
        end
        || case
            when
                table_cells.unit = 'percent'
                and contains(table_cells.cell_text, '%')
                then ''
            when
                table_cells.unit in ('USD', 'USD/shares')
                and contains(table_cells.cell_text, '$')
                then ''
            when table_cells.unit = 'USD/shares' then ' USD'
            else coalesce(' ' || table_cells.unit, '')
        end
        || case when table_cells.unit = 'USD/shares' then ' per share' else '' end
    ) as figure_words
from table_cells
inner join tables
    on table_cells.table_id = tables.table_id
where
    not table_cells.is_header
    and not table_cells.is_label
    and not tables.is_layout
