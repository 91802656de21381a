-- Does one way to search beat another on questions? Paired by question; interval and
-- test keep the questions of a company together.
with

comparisons as (

    select * from {{ ref('comparisons') }}

)

select
    system_a,
    system_b,
    slice_name,
    slice_value,
    metric,
    k,
    n_items,
    n_discordant,
    n_a_better,
    n_clusters,
    mean_a,
    mean_b,
    mean_difference,
    ci_low,
    ci_high,
    p_value
from comparisons
where
    gold_set = 'p3'
    and purpose = 'rival'
    and slice_name in ('sound', 'sound_scope')
order by pair_id, slice_name, slice_value, metric, k
