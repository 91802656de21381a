{#-
    Shares over lines of revenue: filings whose lines add up, tables that say what the tags
    say, and descriptions that the baseline has and this build has not.
-#}
with

revenue_reconciliations as (

    select * from {{ ref('revenue_reconciliations') }}

),

description_coverage as (

    select * from {{ ref('description_coverage') }}

),

filings as (

    select
        filing_id,
        bool_or(total is not null) as has_total,
        bool_or(verdict = 'by_reference') as is_elsewhere,
        bool_or(view in ('product', 'segment', 'none')) as has_lines,
        coalesce(
            bool_or(
                is_chosen
                and view in ('product', 'segment')
                and verdict in ('reconciled', 'part')
            ),
            false
        ) as is_reconciled
    from revenue_reconciliations
    where is_filing_year
    group by filing_id

)

-- Who reports revenue by place alone has no lines to add up; a total without any table
-- that adds up to it is a miss.
select
    'corpus' as system_id,
    'lines_reconciled' as metric,
    cast(count(*) filter (where is_reconciled) as double) as n_true,
    count(*) as n_asked
from filings
where
    has_total
    and has_lines
    and not is_elsewhere

union all

select
    'corpus' as system_id,
    'routes_agree' as metric,
    cast(
        count(*) filter (
            where verdict <> 'routes_differ' and {{ list_length('conflicts') }} = 0
        ) as double
    ) as n_true,
    count(*) as n_asked
from revenue_reconciliations
where
    route = 'both'
    or verdict = 'routes_differ'

union all

select
    system_id,
    'descriptions_newly_missing' as metric,
    cast(sum({{ list_length('newly_missing') }}) as double) as n_true,
    cast(
        sum(
            n_described
            - {{ list_length('newly_covered') }}
            + {{ list_length('newly_missing') }}
        ) as bigint
    ) as n_asked
from description_coverage
where coverage_before is not null
group by system_id
