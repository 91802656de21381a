with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

comparisons as (

    select * from {{ ref('comparisons') }}

)

select
    'summaries' as measured_in,
    run_id,
    system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    k,
    mean,
    ci_low,
    ci_high,
    n_evaluated as n,
    cast(null as bigint) as n_clusters
from metric_summaries
where slice_name in ('overall', 'sound', 'sound_scope')

union all

select
    'comparisons' as measured_in,
    run_id,
    pair_id as system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    k,
    mean_difference as mean,
    ci_low,
    ci_high,
    n_items as n,
    n_clusters
from comparisons
where slice_name in ('overall', 'sound', 'sound_scope')
