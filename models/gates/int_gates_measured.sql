with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

metric_floors as (

    select * from {{ ref('metric_floors') }}

),

comparisons as (

    select * from {{ ref('comparisons') }}

),

metric_drifts as (

    select * from {{ ref('metric_drifts') }}

),

summaries as (

    select
        'summaries' as measured_in,
        run_id,
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        cast(null as varchar) as null_kind,
        mean,
        ci_low,
        ci_high,
        cast(null as double) as distance,
        cast(null as double) as change,
        cast(null as double) as relative_change,
        n_evaluated as n,
        cast(null as bigint) as n_clusters
    from metric_summaries

),

-- What the second system missed counts as if it had been perfect there: a gate on a
-- gain must not pass because the other side failed.
differences as (

    select
        'comparisons' as measured_in,
        run_id,
        pair_id as system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        cast(null as varchar) as null_kind,
        mean_difference - cast(n_missing_b as double) / n_items as mean,
        ci_low - cast(n_missing_b as double) / n_items as ci_low,
        ci_high - cast(n_missing_b as double) / n_items as ci_high,
        cast(null as double) as distance,
        cast(null as double) as change,
        cast(null as double) as relative_change,
        n_items as n,
        n_clusters
    from comparisons

),

floors as (

    select
        'floors' as measured_in,
        run_id,
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        null_kind,
        score as mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high,
        distance,
        cast(null as double) as change,
        cast(null as double) as relative_change,
        n,
        cast(null as bigint) as n_clusters
    from metric_floors

),

-- The smaller side says how much a change can tell.
drifts as (

    select
        'drifts' as measured_in,
        run_id,
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        cast(null as varchar) as null_kind,
        mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high,
        cast(null as double) as distance,
        change,
        relative_change,
        least(n, baseline_n) as n,
        cast(null as bigint) as n_clusters
    from metric_drifts
    where is_comparable

),

collected as (

    select * from summaries
    union all
    select * from differences
    union all
    select * from floors
    union all
    select * from drifts

)

select
    *,
    abs(change) as absolute_change
from collected
where slice_name in ('overall', 'sound', 'sound_scope')
