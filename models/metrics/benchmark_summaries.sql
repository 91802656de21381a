{#-
    Two denominators beside each other: the mean over what was measured, and over all that was
    asked, where a question without a value counts as zero. Papers use the one or the other.
-#}
with

benchmark_values as (

    select * from {{ ref('benchmark_values') }}

),

int_benchmark_items_sliced as (

    select * from {{ ref('int_benchmark_items_sliced') }}

),

py_benchmark_intervals_bootstrapped as (

    select * from {{ ref('py_benchmark_intervals_bootstrapped') }}

),

summarised as (

    select
        benchmark_values.system_id,
        int_benchmark_items_sliced.gold_set,
        int_benchmark_items_sliced.slice_name,
        int_benchmark_items_sliced.slice_value,
        benchmark_values.metric,
        benchmark_values.mode,
        benchmark_values.k,
        count(*) as n_asked,
        count(*) filter (where benchmark_values.value_status = 'evaluated')
            as n_evaluated,
        count(*) filter (where benchmark_values.value_status = 'uncovered')
            as n_uncovered,
        count(*) filter (where benchmark_values.value_status = 'unscored')
            as n_unscored,
        count(*) filter (where benchmark_values.value_status = 'failed')
            as n_failed,
        count(*) filter (where benchmark_values.value_status = 'not_run')
            as n_not_run,
        min(benchmark_values.value) as lowest,
        max(benchmark_values.value) as highest,
        {{ exact_mean('benchmark_values.value') }} as mean,
        {{ exact_sum('coalesce(benchmark_values.value, 0)') }} as total
    from benchmark_values
    inner join int_benchmark_items_sliced
        on benchmark_values.item_id = int_benchmark_items_sliced.item_id
    group by
        benchmark_values.system_id,
        int_benchmark_items_sliced.gold_set,
        int_benchmark_items_sliced.slice_name,
        int_benchmark_items_sliced.slice_value,
        benchmark_values.metric,
        benchmark_values.mode,
        benchmark_values.k

)

select
    md5(concat_ws(
        '|',
        summarised.system_id,
        summarised.gold_set,
        summarised.slice_name,
        summarised.slice_value,
        summarised.metric,
        summarised.mode,
        cast(summarised.k as varchar)
    )) as summary_id,
    summarised.system_id,
    summarised.gold_set,
    summarised.slice_name,
    summarised.slice_value,
    summarised.metric,
    summarised.mode,
    summarised.k,
    summarised.n_asked,
    summarised.n_evaluated,
    summarised.n_uncovered,
    summarised.n_unscored,
    summarised.n_failed,
    summarised.n_not_run,
    summarised.mean,
    case
        when summarised.n_evaluated > 0
            then summarised.total / (summarised.n_asked - summarised.n_uncovered)
    end as mean_of_asked,
    -- Values that are all alike have nothing to resample.
    case
        when summarised.lowest < summarised.highest
            then py_benchmark_intervals_bootstrapped.ci_low
    end as ci_low,
    case
        when summarised.lowest < summarised.highest
            then py_benchmark_intervals_bootstrapped.ci_high
    end as ci_high
from summarised
left join py_benchmark_intervals_bootstrapped
    on
        summarised.gold_set = py_benchmark_intervals_bootstrapped.gold_set
        and summarised.slice_name = py_benchmark_intervals_bootstrapped.slice_name
        and summarised.slice_value = py_benchmark_intervals_bootstrapped.slice_value
        and concat_ws(
            '|',
            summarised.system_id,
            summarised.metric,
            summarised.mode,
            cast(summarised.k as varchar)
        ) = py_benchmark_intervals_bootstrapped.series_id
