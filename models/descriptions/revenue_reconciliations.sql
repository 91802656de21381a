with

py_revenue_lines_found as (

    select * from {{ ref('py_revenue_lines_found') }}

),

int_revenue_totals as (

    select * from {{ ref('int_revenue_totals') }}

),

filings as (

    select * from {{ ref('filings') }}

),

filing_parts as (

    select * from {{ ref('filing_parts') }}

),

sections as (

    select * from {{ ref('sections') }}

),

tables as (

    select * from {{ ref('tables') }}

),

-- Annual reports as filed, of which no total was found.
unstated as (

    select
        filings.filing_id,
        filings.fiscal_year_end as period_end
    from filings
    where
        filings.fiscal_year_end is not null
        and filings.filing_id in (select filing_id from filing_parts)
        and filings.filing_id not in (
            select filing_id
            from int_revenue_totals
            where is_filing_period
        )

),

elsewhere as (

    select filing_id
    from sections
    where section_name = 'ITEM_8' and status = 'incorporated_by_reference'

),

reconciled as (

    select * exclude (lines)
    from py_revenue_lines_found

    union all by name

    select
        filing_id,
        'none' as view,
        period_end,
        true as is_filing_year,
        0 as n_leaves,
        'no_total' as verdict,
        false as is_chosen,
        cast([] as varchar[]) as conflicts
    from unstated

),

located as (

    select
        *,
        verdict in ('no_table', 'no_total')
        and filing_id in (select filing_id from elsewhere) as is_elsewhere,
        view = 'none'
        and filing_id not in (select filing_id from tables) as is_without_table
    from reconciled

)

select
    filing_id || ':' || view || ':' || period_end as reconciliation_id,
    filing_id,
    view,
    period_start,
    period_end,
    is_filing_year,
    currency,
    total,
    total_source,
    total_concept,
    total_cell_id,
    table_id,
    n_leaves,
    leaf_sum,
    difference,
    tolerance,
    route,
    if(is_elsewhere, 'by_reference', verdict) as verdict,
    is_chosen,
    conflicts,
    case
        when is_elsewhere then null
        when is_without_table then 'The filing has no table'
        else note
    end as note
from located
