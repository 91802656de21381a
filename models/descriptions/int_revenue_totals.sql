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

table_cells as (

    select * from {{ ref('table_cells') }}

),

int_revenue_statements as (

    select * from {{ ref('int_revenue_statements') }}

),

revenue_concepts as (

    select * from {{ ref('revenue_concepts') }}

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
        count(*) over (partition by facts.filing_id, facts.unit) as n_of_currency,
        abs(facts.period_end - filings.fiscal_year_end) <= 7 as is_filing_period
    from facts
    inner join filings
        on facts.filing_id = filings.filing_id
    inner join revenue_concepts
        on split_part(facts.concept, ':', -1) = revenue_concepts.concept
    where
        len(facts.dimensions) = 0
        and facts.value > 0
        and facts.period_end - facts.period_start <= 380
        and facts.period_end <= filings.fiscal_year_end + 7

),

-- The longest period that ends on the filing's last day is its year, however short.
-- A translation for the reader's convenience is of one year: its currency is rarer.
chosen_concepts as (

    select
        filing_id,
        concept,
        unit,
        period_end - period_start as n_days
    from tagged
    where is_filing_period
    qualify
        row_number() over (
            partition by filing_id
            order by
                period_end - period_start > 180 desc,
                precedence asc,
                n_of_currency desc,
                value desc,
                period_end - period_start desc,
                concept asc,
                unit asc
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
            and tagged.unit = chosen_concepts.unit
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

-- A financial data schedule is rounded: it stands in where no statement does.
totals as (

    select * exclude (is_exact)
    from totals_tagged
    where is_exact or filing_id not in (select filing_id from int_revenue_statements)

    union all by name

    select
        *,
        'statement' as total_source
    from int_revenue_statements
    where filing_id not in (select filing_id from totals_tagged where is_exact)

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
