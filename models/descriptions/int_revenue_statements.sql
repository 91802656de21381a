{#-
    What a filing's statement of results states as total revenue, one row a filing and period.
-#}
{%- set statement_title = sql_literal(var('regexes')['statement_title']) -%}
with

filings as (

    select * from {{ ref('filings') }}

),

tables as (

    select * from {{ ref('tables') }}

),

blocks as (

    select * from {{ ref('blocks') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

revenue_view_patterns as (

    select * from {{ ref('revenue_view_patterns') }}

),

-- The parent alone, a business sold, a summary: not the filer as it reports.
titled as (

    select
        tables.table_id,
        blocks.block_pos,
        coalesce(
            regexp_matches(tables.caption, {{ statement_title }}), false
        ) as has_title,
        regexp_matches(
            concat_ws(
                ' ',
                tables.caption,
                tables.lead_in,
                array_to_string(blocks.heading_path, ' ')
            ),
            {{ statement_title }}
        ) as is_named,
        regexp_matches(
            concat_ws(' ', tables.caption, array_to_string(blocks.heading_path, ' ')),
            '(?i)consolidated'
        ) as is_consolidated
    from tables
    inner join blocks
        on tables.block_id = blocks.block_id
    where
        not tables.is_layout
        and not regexp_matches(
            concat_ws(' | ', tables.caption, tables.lead_in, blocks.heading_path[-1]),
            {{ sql_literal(var('regexes')['other_entity']) }}
        )
        and not regexp_matches(
            concat_ws(' | ', tables.caption, blocks.heading_path[-1]),
            '(?i)\bsummari[sz]ed\b'
        )

),

-- A statement of results comes down to what was earned.
earning_tables as (

    select distinct table_id
    from table_cells
    where
        regexp_matches(
            lower(row_path[-1]),
            '^(consolidated )?net (income|earnings|loss|\(loss\)|\(earnings\))'
        )

),

statements as (

    select *
    from titled
    where has_title or table_id in (select table_id from earning_tables)

),

-- A column is known by the year in its header, wherever it stands.
stated as (

    select
        table_cells.filing_id,
        table_cells.table_id,
        table_cells.cell_id,
        table_cells.value,
        table_cells.unit,
        table_cells.period_end,
        coalesce(
            table_cells.period_start,
            table_cells.period_end - interval 1 year + interval 1 day
        )::date as period_start,
        abs(table_cells.period_end - filings.fiscal_year_end) <= 7 as is_filing_period,
        statements.is_named,
        statements.is_named and statements.is_consolidated as is_consolidated,
        statements.block_pos,
        revenue_view_patterns.rank
    from table_cells
    inner join statements
        on table_cells.table_id = statements.table_id
    inner join filings
        on table_cells.filing_id = filings.filing_id
    inner join revenue_view_patterns
        on
            revenue_view_patterns.meaning = 'total_row'
            and regexp_matches(
                lower(trim(regexp_replace(
                    rtrim(table_cells.row_path[-1], ' :'),
                    '( *\([0-9a-z]\)| +[0-9])+$',
                    ''
                ))),
                revenue_view_patterns.pattern
            )
    where
        table_cells.kind in ('number', 'dash')
        and table_cells.value >= 0
        and not table_cells.is_header
        and not table_cells.is_label
        and coalesce(table_cells.unit, '') not in ('percent', 'USD/shares', 'shares')
        and table_cells.period_end <= filings.fiscal_year_end + 7
        and (
            table_cells.period_start is null
            or table_cells.period_end - table_cells.period_start > 180
        )

),

chosen_statements as (

    select table_id
    from stated
    where is_filing_period
    qualify
        row_number() over (
            partition by filing_id
            order by is_consolidated desc, is_named desc, block_pos asc, table_id asc
        ) = 1

)

select
    stated.filing_id,
    stated.period_start,
    stated.period_end,
    stated.is_filing_period,
    stated.value as total,
    stated.cell_id as total_cell_id,
    coalesce(stated.unit, 'USD') as currency
from stated
inner join chosen_statements
    on stated.table_id = chosen_statements.table_id
qualify
    row_number() over (
        partition by stated.filing_id, stated.period_end
        order by stated.rank asc, stated.value desc, stated.cell_id asc
    ) = 1
