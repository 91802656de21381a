with

revenue_lines as (

    select * from {{ ref('revenue_lines') }}

),

tables as (

    select * from {{ ref('tables') }}

),

filings as (

    select * from {{ ref('filings') }}

)

-- The lines that are described, with what is known of each before a system looks.
select
    revenue_lines.revenue_line_id,
    revenue_lines.filing_id,
    revenue_lines.label,
    revenue_lines.footnote_marks,
    revenue_lines.segment_label,
    tables.block_id as table_block_id,
    tables.caption,
    filings.company_name,
    filings.ticker,
    filings.report_year
from revenue_lines
inner join filings
    on revenue_lines.filing_id = filings.filing_id
left join tables
    on revenue_lines.table_id = tables.table_id
where
    revenue_lines.role = 'leaf'
    and revenue_lines.is_chosen
    and revenue_lines.is_filing_year
