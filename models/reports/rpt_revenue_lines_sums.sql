with

revenue_reconciliations as (

    select * from {{ ref('revenue_reconciliations') }}

),

revenue_verdicts as (

    select *
    from {{ ref('revenue_verdicts') }}
    where kind = 'sum'

),

filings as (

    select * from {{ ref('filings') }}

),

tables as (

    select * from {{ ref('tables') }}

)

select
    revenue_reconciliations.reconciliation_id,
    revenue_reconciliations.filing_id,
    filings.cik_int,
    filings.company_name || ', ' || filings.form || ', fiscal ' || filings.report_year
    || coalesce(' to ' || filings.fiscal_year_end, '') as filing_name,
    filings.report_year,
    revenue_reconciliations.view,
    cast(revenue_reconciliations.period_start as varchar) as period_start,
    cast(revenue_reconciliations.period_end as varchar) as period_end,
    revenue_reconciliations.is_filing_year,
    revenue_reconciliations.is_chosen,
    revenue_reconciliations.currency,
    revenue_reconciliations.total,
    revenue_reconciliations.total_source,
    revenue_reconciliations.total_concept,
    revenue_reconciliations.total_cell_id,
    revenue_reconciliations.table_id,
    coalesce(tables.caption, tables.lead_in) as table_text,
    revenue_reconciliations.n_leaves,
    revenue_reconciliations.leaf_sum,
    revenue_reconciliations.difference,
    revenue_reconciliations.tolerance,
    revenue_reconciliations.route,
    revenue_reconciliations.verdict,
    revenue_verdicts.description as verdict_text,
    revenue_verdicts.is_good,
    revenue_verdicts.rank as verdict_rank,
    nullif(array_to_string(revenue_reconciliations.conflicts, ', '), '')
        as conflicts_text,
    revenue_reconciliations.note as note_text
from revenue_reconciliations
inner join filings
    on revenue_reconciliations.filing_id = filings.filing_id
left join tables
    on revenue_reconciliations.table_id = tables.table_id
left join revenue_verdicts
    on revenue_reconciliations.verdict = revenue_verdicts.verdict
