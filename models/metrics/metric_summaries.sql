with

runs as (

    select * from {{ ref('runs') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

int_series_clustered as (

    select * from {{ ref('int_series_clustered') }}

),

int_integrity_measured as (

    select * from {{ ref('int_integrity_measured') }}

),

py_intervals_bootstrapped as (

    select * from {{ ref('py_intervals_bootstrapped') }}

),

summarised as (

    select
        metric_values.system_id,
        item_slices.gold_set,
        item_slices.slice_name,
        item_slices.slice_value,
        metric_values.metric,
        metric_values.k,
        metric_values.unit,
        metric_values.mode,
        count(*) as n_asked,
        count(*) filter (where metric_values.value_status = 'evaluated')
            as n_evaluated,
        count(*) filter (where metric_values.value_status = 'uncovered')
            as n_uncovered,
        count(*) filter (where metric_values.value_status = 'abstained')
            as n_abstained,
        count(*) filter (where metric_values.value_status = 'failed') as n_failed,
        count(*) filter (where metric_values.value_status = 'not_run') as n_not_run,
        count(*) filter (where metric_values.value_status = 'unscored')
            as n_unscored,
        {{ exact_mean('metric_values.value') }} as mean,
        {{ exact_sum('coalesce(metric_values.value, 0)') }} as total,
        {{ exact_mean('metric_values.value_best') }} as mean_best,
        {{ exact_mean('metric_values.value_worst') }} as mean_worst,
        {{ exact_mean('metric_values.value_expected') }} as mean_expected,
        -- Scores of two scorers have no mean; a build has one of each kind.
        max(metric_values.scorer_id) as scorer_id
    from metric_values
    inner join item_slices
        on metric_values.item_id = item_slices.item_id
    group by
        metric_values.system_id,
        item_slices.gold_set,
        item_slices.slice_name,
        item_slices.slice_value,
        metric_values.metric,
        metric_values.k,
        metric_values.unit,
        metric_values.mode

),

-- The squared residuals of clusters, summed, for a share p: (sum - count * p) ^ 2.
clustered as (

    select
        gold_set,
        slice_name,
        slice_value,
        series_id,
        is_share,
        count(*) as n_clusters,
        sum(value_count) as n,
        sum(value_sum) / sum(value_count) as p,
        sum(value_sum * value_sum) as sum_of_squares,
        sum(value_sum * value_count) as sum_of_products,
        sum(value_count * value_count) as count_of_squares
    from int_series_clustered
    group by gold_set, slice_name, slice_value, series_id, is_share

),

-- How many times the variance of as many independent items. All items alike show none:
-- they are taken to resemble each other as is customary, by a correlation of 0.05.
spread as (

    select
        *,
        case
            when p in (0, 1) then 1 + 0.05 * (n / n_clusters - 1)
            else
                (
                    sum_of_squares - 2 * p * sum_of_products
                    + p * p * count_of_squares
                )
                / (n * p * (1 - p))
                * n_clusters / (n_clusters - 1)
                * (n - 1) / n
        end as design_effect
    from clustered

),

-- Korn and Graubard (1998): the n of as many independent items, and fewer where the
-- variance is known from few clusters. A single cluster counts as one item.
effective as (

    select
        gold_set,
        slice_name,
        slice_value,
        series_id,
        is_share,
        n_clusters,
        case
            when n_clusters = 1 then 1.0
            else round(
                n / greatest(1.0, design_effect)
                * pow(
                    {{ t_quantile('(n - 1)') }}
                    / {{ t_quantile('(n_clusters - 1)') }}, 2
                ), 9
            )
        end as n_effective
    from spread

),

with_intervals as (

    select
        summarised.*,
        -- What has no value counts as zero, but for items without gold.
        case
            when summarised.n_evaluated > 0
                then summarised.total / (summarised.n_asked - summarised.n_uncovered)
        end as mean_of_asked,
        effective.n_clusters,
        case
            when summarised.n_evaluated = 0 then 'none'
            when effective.is_share then 'wilson_clustered'
            when py_intervals_bootstrapped.ci_low is null then 'none'
            else 'cluster_bootstrap'
        end as ci_method,
        case
            when effective.is_share
                then {{ wilson_bound(
                    'summarised.mean', 'effective.n_effective', 'low'
                ) }}
            else py_intervals_bootstrapped.ci_low
        end as ci_low,
        case
            when effective.is_share
                then {{ wilson_bound(
                    'summarised.mean', 'effective.n_effective', 'high'
                ) }}
            else py_intervals_bootstrapped.ci_high
        end as ci_high
    from summarised
    left join effective
        on
            summarised.gold_set = effective.gold_set
            and summarised.slice_name = effective.slice_name
            and summarised.slice_value = effective.slice_value
            and concat_ws(
                '|',
                'system',
                summarised.system_id,
                summarised.metric,
                cast(summarised.k as varchar),
                summarised.unit,
                summarised.mode
            ) = effective.series_id
    left join py_intervals_bootstrapped
        on
            effective.gold_set = py_intervals_bootstrapped.gold_set
            and effective.slice_name = py_intervals_bootstrapped.slice_name
            and effective.slice_value = py_intervals_bootstrapped.slice_value
            and effective.series_id = py_intervals_bootstrapped.series_id

),

-- Two shares over different questions have no common mean to take an interval of: the
-- bounds of their average follow from their own (Zou and Donner 2008, MOVER).
balanced as (

    select
        declined.* replace (
            'balanced_abstention' as metric,
            declined.n_asked + wrongly_declined.n_asked as n_asked,
            declined.n_evaluated + wrongly_declined.n_evaluated as n_evaluated,
            declined.n_uncovered + wrongly_declined.n_uncovered as n_uncovered,
            declined.n_abstained + wrongly_declined.n_abstained as n_abstained,
            declined.n_failed + wrongly_declined.n_failed as n_failed,
            declined.n_not_run + wrongly_declined.n_not_run as n_not_run,
            declined.n_unscored + wrongly_declined.n_unscored as n_unscored,
            (declined.mean + 1 - wrongly_declined.mean) / 2 as mean,
            (declined.mean_of_asked + 1 - wrongly_declined.mean_of_asked) / 2
                as mean_of_asked,
            cast(null as double) as mean_best,
            cast(null as double) as mean_worst,
            cast(null as double) as mean_expected,
            least(declined.n_clusters, wrongly_declined.n_clusters) as n_clusters,
            'mover' as ci_method,
            (declined.mean + 1 - wrongly_declined.mean) / 2
            - sqrt(
                pow(declined.mean - declined.ci_low, 2)
                + pow(wrongly_declined.ci_high - wrongly_declined.mean, 2)
            ) / 2 as ci_low,
            (declined.mean + 1 - wrongly_declined.mean) / 2
            + sqrt(
                pow(declined.ci_high - declined.mean, 2)
                + pow(wrongly_declined.mean - wrongly_declined.ci_low, 2)
            ) / 2 as ci_high
        )
    from with_intervals as declined
    inner join with_intervals as wrongly_declined
        on
            declined.system_id = wrongly_declined.system_id
            and declined.gold_set = wrongly_declined.gold_set
            and declined.slice_name = wrongly_declined.slice_name
            and declined.slice_value = wrongly_declined.slice_value
            and declined.k = wrongly_declined.k
            and declined.unit = wrongly_declined.unit
            and declined.mode = wrongly_declined.mode
    where
        declined.metric = 'no_answer_accuracy'
        and wrongly_declined.metric = 'false_abstention'
        and declined.n_evaluated > 0
        and wrongly_declined.n_evaluated > 0

),

with_balanced as (

    select * from with_intervals
    union all by name
    select * from balanced

),

integrity as (

    select
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        0 as k,
        'any' as unit,
        'finrag' as mode,
        n_asked,
        n_asked as n_evaluated,
        0 as n_uncovered,
        0 as n_abstained,
        0 as n_failed,
        0 as n_not_run,
        0 as n_unscored,
        n_true / nullif(n_asked, 0) as mean,
        n_true / nullif(n_asked, 0) as mean_of_asked,
        cast(null as double) as mean_best,
        cast(null as double) as mean_worst,
        cast(null as double) as mean_expected,
        cast(null as varchar) as scorer_id,
        cast(null as bigint) as n_clusters,
        case when n_asked = 0 then 'none' else 'wilson' end as ci_method
    from int_integrity_measured

),

collected as (

    select
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        unit,
        mode,
        n_asked,
        n_evaluated,
        n_uncovered,
        n_abstained,
        n_failed,
        n_not_run,
        n_unscored,
        mean,
        mean_of_asked,
        mean_best,
        mean_worst,
        mean_expected,
        scorer_id,
        ci_low,
        ci_high,
        ci_method,
        n_clusters
    from with_balanced

    union all

    select
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        unit,
        mode,
        n_asked,
        n_evaluated,
        n_uncovered,
        n_abstained,
        n_failed,
        n_not_run,
        n_unscored,
        mean,
        mean_of_asked,
        mean_best,
        mean_worst,
        mean_expected,
        scorer_id,
        {{ wilson_bound('mean', 'n_asked', 'low') }} as ci_low,
        {{ wilson_bound('mean', 'n_asked', 'high') }} as ci_high,
        ci_method,
        n_clusters
    from integrity

)

select
    md5(concat_ws(
        '|',
        collected.system_id,
        collected.gold_set,
        collected.slice_name,
        collected.slice_value,
        collected.metric,
        cast(collected.k as varchar),
        collected.unit,
        collected.mode
    )) as summary_id,
    runs.run_id,
    collected.system_id,
    collected.gold_set,
    collected.slice_name,
    collected.slice_value,
    collected.metric,
    collected.k,
    collected.unit,
    collected.mode,
    collected.n_asked,
    collected.n_evaluated,
    collected.n_uncovered,
    collected.n_abstained,
    collected.n_failed,
    collected.n_not_run,
    collected.n_unscored,
    collected.mean,
    collected.mean_of_asked,
    collected.ci_low,
    collected.ci_high,
    collected.ci_method,
    collected.mean_best,
    collected.mean_worst,
    collected.mean_expected,
    collected.scorer_id,
    coalesce(collected.n_clusters, 0) as n_clusters
from collected
cross join runs
