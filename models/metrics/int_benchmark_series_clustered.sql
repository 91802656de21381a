with

benchmark_values as (

    select * from {{ ref('benchmark_values') }}

),

int_benchmark_items_sliced as (

    select * from {{ ref('int_benchmark_items_sliced') }}

)

select
    int_benchmark_items_sliced.gold_set,
    int_benchmark_items_sliced.slice_name,
    int_benchmark_items_sliced.slice_value,
    concat_ws(
        '|',
        benchmark_values.system_id,
        benchmark_values.metric,
        benchmark_values.mode,
        cast(benchmark_values.k as varchar)
    ) as series_id,
    int_benchmark_items_sliced.cluster_id,
    {{ exact_sum('benchmark_values.value') }} as value_sum,
    cast(count(*) as double) as value_count
from benchmark_values
inner join int_benchmark_items_sliced
    on benchmark_values.item_id = int_benchmark_items_sliced.item_id
where benchmark_values.value_status = 'evaluated'
group by
    int_benchmark_items_sliced.gold_set,
    int_benchmark_items_sliced.slice_name,
    int_benchmark_items_sliced.slice_value,
    benchmark_values.system_id,
    benchmark_values.metric,
    benchmark_values.mode,
    benchmark_values.k,
    int_benchmark_items_sliced.cluster_id
