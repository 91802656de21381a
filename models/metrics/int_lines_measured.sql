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

-- The filing's own year is the last that its tables tell.
of_the_year as (

    select *
    from revenue_reconciliations
    qualify
        period_end is not distinct from max(period_end) over (partition by filing_id)

),

filings as (

    select
        filing_id,
        bool_or(total is not null) as has_total,
        bool_or(view in ('product', 'segment')) as has_lines,
        bool_or(verdict = 'by_reference') as is_elsewhere,
        coalesce(
            bool_or(is_chosen and verdict in ('reconciled', 'part')), false
        ) as is_reconciled,
        coalesce(
            bool_or(
                is_chosen
                and view in ('product', 'segment')
                and verdict in ('reconciled', 'part')
            ),
            false
        ) as is_reconciled_by_line
    from of_the_year
    group by filing_id

)

-- Who reports revenue by place alone has no lines to add up; a total without any table
-- that adds up to it is a miss.
select
    'corpus' as system_id,
    'lines_reconciled' as metric,
    cast(count(*) filter (where is_reconciled_by_line) as double) as n_true,
    count(*) as n_asked
from filings
where
    has_total
    and not is_elsewhere
    and (has_lines or not is_reconciled)

union all

select
    'corpus' as system_id,
    'routes_agree' as metric,
    cast(
        count(*) filter (where verdict <> 'routes_differ') as double
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
