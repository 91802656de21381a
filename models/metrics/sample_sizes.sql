{#-
    How many items a comparison needs. n = deff * ((z(0.975) + z(0.8)) * sd / difference)^2:
    the spread of paired differences, widened by the design effect of clusters, which is the
    squared ratio of the clustered standard error to that of independent items. Both are
    medians over the pairs compared. The rows of no gold set take a share on which two
    systems differ on one item in ten, five or three, items independent.
-#}
{%- set z = '2.801585218112968' %}
with

runs as (

    select * from {{ ref('runs') }}

),

comparisons as (

    select * from {{ ref('comparisons') }}

),

wanted (difference) as (

    values (0.01), (0.02), (0.03), (0.05), (0.10)

),

assumed (metric, sd_difference) as (

    values
    ('share, 1 in 10 items differ', sqrt(1 / 10.0)),
    ('share, 1 in 5 items differ', sqrt(1 / 5.0)),
    ('share, 1 in 3 items differ', sqrt(1 / 3.0))

),

-- Pairs of real systems: against random order every metric spreads otherwise.
observed as (

    select
        'observed' as basis,
        gold_set,
        metric,
        k,
        unit,
        mode,
        count(*) as n_pairs,
        max(n_items) as n_items,
        round(quantile_cont(sd_difference, 0.5), 9) as sd_difference,
        round(quantile_cont(
            n_items * pow(standard_error / sd_difference, 2), 0.5
        ), 9) as design_effect
    from comparisons
    where
        purpose <> 'null_lift'
        and sd_difference > 0
        and standard_error > 0
        and slice_name = {{ headline_slice('gold_set') }}
    group by gold_set, metric, k, unit, mode

),

spreads as (

    select * from observed

    union all

    select
        'assumed' as basis,
        'any' as gold_set,
        metric,
        0 as k,
        'any' as unit,
        'finrag' as mode,
        0 as n_pairs,
        cast(null as bigint) as n_items,
        sd_difference,
        1.0 as design_effect
    from assumed

)

select
    md5(concat_ws(
        '|',
        spreads.gold_set,
        spreads.metric,
        cast(spreads.k as varchar),
        spreads.unit,
        spreads.mode,
        cast(wanted.difference as varchar)
    )) as sample_size_id,
    runs.run_id,
    spreads.basis,
    spreads.gold_set,
    spreads.metric,
    cast(spreads.k as integer) as k,
    spreads.unit,
    spreads.mode,
    cast(wanted.difference as double) as difference,
    spreads.n_pairs,
    cast(spreads.sd_difference as double) as sd_difference,
    cast(spreads.design_effect as double) as design_effect,
    cast(ceil(
        spreads.design_effect
        * pow({{ z }} * spreads.sd_difference / wanted.difference, 2)
    ) as bigint) as n_needed,
    spreads.n_items as n_present,
    round(
        {{ z }} * spreads.sd_difference
        * sqrt(spreads.design_effect / spreads.n_items), 9
    ) as mde_present
from spreads
cross join wanted
cross join runs
