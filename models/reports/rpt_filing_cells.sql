{#-
    Cells of the tables that pages show, each with the facts behind it: the first 40 rows and 12
    columns of a table, and every row with a marked cell.
-#}
with

int_tables_shown as (

    select * from {{ ref('int_tables_shown') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

facts as (

    select * from {{ ref('facts') }}

),

fact_audits as (

    select * from {{ ref('fact_audits') }}

),

rpt_question_cells as (

    select * from {{ ref('rpt_question_cells') }}

),

-- Of several facts in one cell the one that speaks most against its reading decides.
audited as (

    select
        facts.cell_id,
        arg_min(
            fact_audits.verdict,
            list_position(
                [
                    'value_differs', 'scale_differs', 'sign_differs', 'not_read',
                    'agrees', 'not_numeric'
                ],
                fact_audits.verdict
            )
        ) as verdict,
        string_agg(
            concat_ws(
                ', ',
                facts.concept,
                coalesce(
                    format('{:,.15g}', facts.value) || coalesce(' ' || facts.unit, ''),
                    facts.value_text
                ),
                coalesce(facts.period_start || ' to ', '') || facts.period_end,
                nullif(
                    array_to_string(
                        list_transform(
                            facts.dimensions,
                            lambda one: one['axis'] || ' = ' || one['member']
                        ),
                        ', '
                    ),
                    ''
                )
            )
            || ': ' || replace(fact_audits.verdict, '_', ' ')
            || coalesce(', ' || fact_audits.reason, '')
            || case
                when not fact_audits.is_period_right then ', another period'
                else ''
            end,
            chr(10) order by facts.fact_id
        ) as facts_text
    from facts
    inner join fact_audits
        on facts.fact_id = fact_audits.fact_id
    where facts.cell_id is not null
    group by facts.cell_id

),

marked_rows as (

    select row_id
    from rpt_question_cells
    group by row_id

)

select
    table_cells.table_id,
    table_cells.cell_id,
    table_cells.row_pos,
    table_cells.col_pos,
    case
        when table_cells.is_header then 'header'
        when table_cells.is_label then 'label'
        else 'cell'
    end as role,
    cast(greatest({{ list_length('table_cells.row_path') }} - 1, 0) as integer)
        as depth,
    table_cells.cell_text,
    -- The table itself says it of the others.
    case
        when audited.cell_id is not null
            then
                array_to_string(table_cells.row_path, ' > ')
                || ' | ' || array_to_string(table_cells.column_path, ' > ')
    end as path_text,
    case
        when audited.cell_id is not null and table_cells.value is not null
            then
                concat_ws(
                    ', ',
                    concat_ws(
                        ' ', format('{:,.15g}', table_cells.value), table_cells.unit
                    ),
                    coalesce(table_cells.period_start || ' to ', '')
                    || table_cells.period_end
                )
    end as read_text,
    audited.verdict,
    audited.facts_text
from table_cells
inner join int_tables_shown
    on table_cells.table_id = int_tables_shown.table_id
left join audited
    on table_cells.cell_id = audited.cell_id
left join marked_rows
    on table_cells.row_id = marked_rows.row_id
where
    marked_rows.row_id is not null
    or (table_cells.row_pos < 40 and table_cells.col_pos < 12)
