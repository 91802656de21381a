with recursive

revenue_lines as (

    select * from {{ ref('revenue_lines') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

facts as (

    select * from {{ ref('facts') }}

),

filings as (

    select * from {{ ref('filings') }}

),

-- Deeper than nine no table goes.
below as (

    select
        revenue_line_id,
        0 as depth
    from revenue_lines
    where parent_line_id is null

    union all

    select
        revenue_lines.revenue_line_id,
        below.depth + 1 as depth
    from below
    inner join revenue_lines
        on below.revenue_line_id = revenue_lines.parent_line_id
    where below.depth < 9

),

-- A year stands in several filings of a company; charts show it once, as last filed.
newest as (

    select
        revenue_lines.cik_int,
        revenue_lines.view,
        revenue_lines.period_end,
        arg_max(
            revenue_lines.reconciliation_id,
            (filings.report_year, filings.form like '10-K%', filings.filing_id)
        ) as reconciliation_id
    from revenue_lines
    inner join filings
        on revenue_lines.filing_id = filings.filing_id
    group by revenue_lines.cik_int, revenue_lines.view, revenue_lines.period_end

)

select
    revenue_lines.revenue_line_id,
    revenue_lines.reconciliation_id,
    revenue_lines.filing_id,
    revenue_lines.cik_int,
    revenue_lines.view,
    revenue_lines.line_pos,
    coalesce(below.depth, 0) as depth,
    revenue_lines.label
    || coalesce(
        ' (' || nullif(array_to_string(revenue_lines.footnote_marks, ', '), '') || ')',
        ''
    ) as label_text,
    -- The chart draws its hints as markup.
    replace(revenue_lines.label, '<', '‹') as chart_text,
    revenue_lines.role,
    revenue_lines.value,
    revenue_lines.currency,
    revenue_lines.share,
    cast(revenue_lines.period_end as varchar) as period_end,
    revenue_lines.segment_label as segment_text,
    revenue_lines.segment_source,
    revenue_lines.table_id,
    revenue_lines.cell_id,
    table_cells.cell_text,
    array_to_string(table_cells.column_path, ' > ') as column_text,
    revenue_lines.fact_id,
    facts.concept,
    revenue_lines.axis || ' = ' || revenue_lines.member as dimension_text,
    revenue_lines.is_chosen,
    revenue_lines.is_filing_year,
    newest.reconciliation_id is not null as is_newest
from revenue_lines
left join below
    on revenue_lines.revenue_line_id = below.revenue_line_id
left join table_cells
    on revenue_lines.cell_id = table_cells.cell_id
left join facts
    on revenue_lines.fact_id = facts.fact_id
left join newest
    on revenue_lines.reconciliation_id = newest.reconciliation_id
