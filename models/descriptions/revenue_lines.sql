with

py_revenue_lines_found as (

    select * from {{ ref('py_revenue_lines_found') }}

),

filings as (

    select * from {{ ref('filings') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

unnested as (

    select
        filing_id,
        view,
        period_start,
        period_end,
        is_filing_year,
        is_chosen,
        currency,
        filing_id || ':' || view || ':' || period_end as reconciliation_id,
        {{ unnest_structs('lines') }}
    from py_revenue_lines_found

)

select
    unnested.reconciliation_id || ':' || unnested.line_pos as revenue_line_id,
    unnested.reconciliation_id,
    unnested.filing_id,
    filings.cik_int,
    unnested.view,
    table_cells.table_id,
    unnested.line_pos,
    table_cells.row_pos,
    unnested.cell_id,
    unnested.fact_id,
    unnested.axis,
    unnested.member,
    unnested.label,
    unnested.footnote_marks,
    unnested.role,
    unnested.reconciliation_id || ':' || unnested.parent_line_pos as parent_line_id,
    unnested.filing_id || ':segment:' || unnested.period_end || ':'
    || unnested.segment_line_pos as segment_line_id,
    unnested.segment_label,
    unnested.segment_source,
    unnested.value,
    unnested.currency,
    unnested.scale,
    unnested.share,
    unnested.period_start,
    unnested.period_end,
    unnested.is_chosen,
    unnested.is_filing_year
from unnested
inner join filings
    on unnested.filing_id = filings.filing_id
left join table_cells
    on unnested.cell_id = table_cells.cell_id
