{#-
    What an annual report states as its total revenue, one row a filing and period: the
    undimensioned fact of the filer, or the row of its statement where nothing is tagged.
-#}
with

filings as (

    select * from {{ ref('filings') }}

),

facts as (

    select * from {{ ref('facts') }}

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

revenue_concepts as (

    select * from {{ ref('revenue_concepts') }}

),

revenue_view_patterns as (

    select * from {{ ref('revenue_view_patterns') }}

),

annual as (

    select
        filing_id,
        fiscal_year_end
    from filings
    where fiscal_year_end is not null

),

-- A fact of a day, a quarter or a part of the company is no total of a year.
tagged as (

    select
        facts.filing_id,
        facts.concept,
        facts.period_start,
        facts.period_end,
        facts.value,
        facts.unit,
        facts.cell_id,
        facts.fact_id,
        facts.source,
        revenue_concepts.precedence,
        abs(facts.period_end - annual.fiscal_year_end) <= 7 as is_filing_period
    from facts
    inner join annual
        on facts.filing_id = annual.filing_id
    inner join revenue_concepts
        on split_part(facts.concept, ':', -1) = revenue_concepts.concept
    where
        len(facts.dimensions) = 0
        and facts.value > 0
        and facts.period_start is not null
        and facts.period_end - facts.period_start <= 380
        and facts.period_end <= annual.fiscal_year_end + 7

),

-- The longest period that ends on the filing's last day is its year, however short.
chosen_concepts as (

    select
        filing_id,
        concept,
        period_end - period_start as n_days
    from tagged
    where is_filing_period
    qualify
        row_number() over (
            partition by filing_id
            order by
                period_end - period_start > 180 desc,
                precedence,
                value desc,
                period_end - period_start desc,
                concept
        ) = 1

),

totals_tagged as (

    select
        tagged.filing_id,
        tagged.period_start,
        tagged.period_end,
        tagged.is_filing_period,
        tagged.value as total,
        'fact' as total_source,
        tagged.concept as total_concept,
        tagged.cell_id as total_cell_id,
        tagged.unit as currency,
        tagged.source = 'ixbrl' as is_exact
    from tagged
    inner join chosen_concepts
        on
            tagged.filing_id = chosen_concepts.filing_id
            and tagged.concept = chosen_concepts.concept
    where
        tagged.period_end - tagged.period_start >= 340
        or (
            tagged.is_filing_period
            and tagged.period_end - tagged.period_start = chosen_concepts.n_days
        )
    qualify
        row_number() over (
            partition by tagged.filing_id, tagged.period_end
            order by
                tagged.period_end - tagged.period_start desc,
                tagged.cell_id is null,
                tagged.fact_id
        ) = 1

),

-- A statement of results comes down to what was earned.
statements as (

    select
        table_cells.table_id,
        coalesce(
            bool_or(
                regexp_matches(
                    concat_ws(
                        ' ',
                        tables.caption,
                        tables.lead_in,
                        array_to_string(blocks.heading_path, ' ')
                    ),
                    {{ sql_literal(var('regexes')['statement_title']) }}
                )
            ),
            false
        ) as is_named,
        coalesce(
            bool_or(
                regexp_matches(
                    concat_ws(
                        ' ', tables.caption, array_to_string(blocks.heading_path, ' ')
                    ),
                    '(?i)consolidated'
                )
            ),
            false
        ) as is_consolidated,
        min(blocks.block_pos) as block_pos
    from table_cells
    inner join tables
        on table_cells.table_id = tables.table_id
    inner join blocks
        on tables.block_id = blocks.block_id
    where
        not tables.is_layout
        -- The parent alone, a business sold: not the filer as it reports.
        and not regexp_matches(
            concat_ws(
                ' | ', tables.caption, tables.lead_in, blocks.heading_path[-1]
            ),
            {{ sql_literal(var('regexes')['other_entity']) }}
        )
        and not regexp_matches(
            concat_ws(' | ', tables.caption, blocks.heading_path[-1]),
            '(?i)\bsummari[sz]ed\b'
        )
        and table_cells.filing_id not in (
            select filing_id
            from totals_tagged
            where is_exact
        )
        and (
            regexp_matches(
                lower(table_cells.row_path[-1]),
                '^(consolidated )?net (income|earnings|loss|\(loss\)|\(earnings\))'
            )
            or regexp_matches(
                tables.caption, {{ sql_literal(var('regexes')['statement_title']) }}
            )
        )
    group by table_cells.table_id

),

-- The column is the one whose header names the filing's year, wherever it stands.
stated as (

    select
        table_cells.filing_id,
        table_cells.table_id,
        table_cells.cell_id,
        table_cells.value,
        table_cells.unit,
        coalesce(
            table_cells.period_start, table_cells.period_end - interval 1 year + interval 1 day
        )::date as period_start,
        table_cells.period_end,
        abs(table_cells.period_end - annual.fiscal_year_end) <= 7 as is_filing_period,
        statements.is_named,
        statements.is_named and statements.is_consolidated as is_consolidated,
        statements.block_pos,
        table_cells.row_pos,
        table_cells.col_pos,
        revenue_view_patterns.rank
    from table_cells
    inner join statements
        on table_cells.table_id = statements.table_id
    inner join annual
        on table_cells.filing_id = annual.filing_id
    inner join revenue_view_patterns
        on
            revenue_view_patterns.meaning = 'total_row'
            and regexp_matches(
                lower(trim(regexp_replace(
                    rtrim(table_cells.row_path[-1], ' :'), '( *\([0-9a-z]\)| +[0-9])+$', ''
                ))),
                revenue_view_patterns.pattern
            )
    where
        table_cells.kind in ('number', 'dash')
        and table_cells.value >= 0
        and not table_cells.is_header
        and not table_cells.is_label
        and coalesce(table_cells.unit, '') not in ('percent', 'USD/shares', 'shares')
        and table_cells.period_end <= annual.fiscal_year_end + 7
        and (
            table_cells.period_start is null
            or table_cells.period_end - table_cells.period_start > 180
        )

),

stated_tables as (

    select table_id
    from stated
    where is_filing_period
    qualify
        row_number() over (
            partition by filing_id
            order by is_consolidated desc, is_named desc, block_pos, table_id
        ) = 1

),

totals_stated as (

    select
        stated.filing_id,
        stated.period_start,
        stated.period_end,
        stated.is_filing_period,
        stated.value as total,
        'statement' as total_source,
        cast(null as varchar) as total_concept,
        stated.cell_id as total_cell_id,
        coalesce(stated.unit, 'USD') as currency,
        true as is_exact
    from stated
    inner join stated_tables
        on stated.table_id = stated_tables.table_id
    qualify
        row_number() over (
            partition by stated.filing_id, stated.period_end
            order by stated.rank, stated.value desc, stated.cell_id
        ) = 1

),

totals as (

    select * from totals_stated

    union all

    -- A financial data schedule is rounded: it stands in where no statement does.
    select *
    from totals_tagged
    where is_exact or filing_id not in (select filing_id from totals_stated)

),

-- Most of the total under a name of its own: net sales beside fees.
parts_stated as (

    select
        totals.filing_id,
        totals.period_end,
        facts.value as part
    from totals
    inner join facts
        on
            totals.filing_id = facts.filing_id
            and totals.period_start = facts.period_start
            and totals.period_end = facts.period_end
            and totals.currency = facts.unit
    where
        len(facts.dimensions) = 0
        and facts.value >= 0.5 * totals.total
        and facts.value < totals.total
        and {{ is_revenue_concept('facts.concept') }}

    union

    -- Without tags: a row of the statement above the total.
    select
        totals.filing_id,
        totals.period_end,
        others.value as part
    from totals
    inner join table_cells
        on totals.total_cell_id = table_cells.cell_id
    inner join table_cells as others
        on
            table_cells.table_id = others.table_id
            and table_cells.col_pos = others.col_pos
            and table_cells.row_pos > others.row_pos
    where
        totals.total_source = 'statement'
        and others.value >= 0.5 * totals.total
        and others.value < totals.total

),

parts as (

    select
        filing_id,
        period_end,
        list(part order by part desc) as parts
    from parts_stated
    group by filing_id, period_end

)

select
    totals.filing_id,
    totals.period_start,
    totals.period_end,
    totals.is_filing_period,
    totals.total,
    totals.total_source,
    totals.total_concept,
    totals.total_cell_id,
    totals.currency,
    coalesce(parts.parts, []) as parts
from totals
left join parts
    on
        totals.filing_id = parts.filing_id
        and totals.period_end = parts.period_end
