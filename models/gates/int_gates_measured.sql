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

system_costs as (

    select * from {{ ref('system_costs') }}

),

-- Owed is what a system was measured on and what it abstained from or failed: that it
-- has no value there is its own doing. No gold and nothing to score are not.
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
        unit,
        mode,
        cast(null as varchar) as null_kind,
        mean,
        ci_low,
        ci_high,
        cast(null as double) as distance,
        cast(null as double) as change,
        cast(null as double) as relative_change,
        cast(null as double) as significant_change,
        n_evaluated as n,
        n_evaluated + n_abstained + n_failed + n_not_run as n_expected,
        nullif(n_clusters, 0) as n_clusters
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
        unit,
        mode,
        cast(null as varchar) as null_kind,
        mean_difference - cast(n_missing_b as double) / n_items as mean,
        ci_low - cast(n_missing_b as double) / n_items as ci_low,
        ci_high - cast(n_missing_b as double) / n_items as ci_high,
        cast(null as double) as distance,
        cast(null as double) as change,
        cast(null as double) as relative_change,
        cast(null as double) as significant_change,
        n_items as n,
        n_items as n_expected,
        n_clusters
    from comparisons

),

floors as (

    select
        'floors' as measured_in,
        metric_floors.run_id,
        metric_floors.system_id,
        metric_floors.gold_set,
        metric_floors.slice_name,
        metric_floors.slice_value,
        metric_floors.metric,
        metric_floors.k,
        metric_floors.unit,
        metric_floors.mode,
        metric_floors.null_kind,
        metric_floors.score as mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high,
        metric_floors.distance,
        cast(null as double) as change,
        cast(null as double) as relative_change,
        cast(null as double) as significant_change,
        metric_floors.n,
        summaries.n_expected,
        cast(null as bigint) as n_clusters
    from metric_floors
    left join summaries
        on
            metric_floors.system_id = summaries.system_id
            and metric_floors.gold_set = summaries.gold_set
            and metric_floors.slice_name = summaries.slice_name
            and metric_floors.slice_value = summaries.slice_value
            and metric_floors.metric = summaries.metric
            and metric_floors.k = summaries.k
            and metric_floors.unit = summaries.unit
            and metric_floors.mode = summaries.mode

),

-- The smaller side says how much a change can tell.
drifts as (

    select
        'drifts' as measured_in,
        metric_drifts.run_id,
        metric_drifts.system_id,
        metric_drifts.gold_set,
        metric_drifts.slice_name,
        metric_drifts.slice_value,
        metric_drifts.metric,
        metric_drifts.k,
        metric_drifts.unit,
        metric_drifts.mode,
        cast(null as varchar) as null_kind,
        metric_drifts.mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high,
        cast(null as double) as distance,
        metric_drifts.change,
        metric_drifts.relative_change,
        -- Within the interval of the baseline a change may be chance.
        case
            when coalesce(metric_drifts.is_beyond_interval, true)
                then metric_drifts.change
            else 0
        end as significant_change,
        least(metric_drifts.n, metric_drifts.baseline_n) as n,
        case
            when summaries.n_expected is not null
                then least(summaries.n_expected, metric_drifts.baseline_n)
        end as n_expected,
        cast(null as bigint) as n_clusters
    from metric_drifts
    left join summaries
        on
            metric_drifts.system_id = summaries.system_id
            and metric_drifts.gold_set = summaries.gold_set
            and metric_drifts.slice_name = summaries.slice_name
            and metric_drifts.slice_value = summaries.slice_value
            and metric_drifts.metric = summaries.metric
            and metric_drifts.k = summaries.k
            and metric_drifts.unit = summaries.unit
            and metric_drifts.mode = summaries.mode
    where metric_drifts.is_comparable

),

-- Times and prices of a question, over those where they are known.
costs as (

    select
        'costs' as measured_in,
        run_id,
        system_id,
        gold_set,
        'overall' as slice_name,
        'all' as slice_value,
        metric,
        0 as k,
        'any' as unit,
        'finrag' as mode,
        cast(null as varchar) as null_kind,
        mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high,
        cast(null as double) as distance,
        cast(null as double) as change,
        cast(null as double) as relative_change,
        cast(null as double) as significant_change,
        case metric when 'cost_usd_per_query' then n_items else n_timed end as n,
        n_items as n_expected,
        cast(null as bigint) as n_clusters
    from system_costs
    unpivot (
        mean for metric in (latency_p50_ms, latency_p95_ms, cost_usd_per_query)
    )

),

collected as (

    select * from summaries
    union all
    select * from differences
    union all
    select * from floors
    union all
    select * from drifts
    union all
    select * from costs

)

select
    *,
    abs(change) as absolute_change
from collected
