-- Does one way to search beat another on questions? Paired by question; interval and
-- test keep the questions of a company together.
-- Read the interval of mean_difference, a before b; n_discordant are the questions that
-- tell the two apart. p_value is of this one test: model_matrix corrects for all.
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
    unit,
    mode,
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
