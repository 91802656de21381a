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

-- What the second system missed counts as if it had been perfect there: a gate on a
-- gain must not pass because the other side failed.
select
    'comparisons' as measured_in,
    run_id,
    pair_id as system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    k,
    mean_difference - cast(n_missing_b as double) / n_items as mean,
    ci_low - cast(n_missing_b as double) / n_items as ci_low,
    ci_high - cast(n_missing_b as double) / n_items as ci_high,
    n_items as n,
    n_clusters
from comparisons
where slice_name in ('overall', 'sound', 'sound_scope')
