-- Which sections of a filing are hard to search? Hit@5 of anchors by section, beside
-- what random order gets there.
-- Read a section's Hit@5 only against its null: in a short section every order is right
-- now and then. lift is the difference, paired by anchor, with its interval; where that
-- holds 0 the system knows nothing of the section.
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

comparisons as (

    select * from {{ ref('comparisons') }}

)

select
    metric_summaries.gold_set,
    metric_summaries.slice_value as section_name,
    metric_summaries.system_id,
    metric_summaries.n_asked,
    metric_summaries.n_evaluated,
    metric_summaries.n_uncovered,
    metric_summaries.n_clusters,
    metric_summaries.mean as hit_at_5,
    metric_summaries.ci_low,
    metric_summaries.ci_high,
    comparisons.system_b as null_system_id,
    comparisons.mean_b as null_hit_at_5,
    comparisons.mean_difference as lift,
    comparisons.ci_low as lift_ci_low,
    comparisons.ci_high as lift_ci_high
from metric_summaries
left join comparisons
    on
        metric_summaries.system_id = comparisons.system_a
        and metric_summaries.gold_set = comparisons.gold_set
        and metric_summaries.slice_name = comparisons.slice_name
        and metric_summaries.slice_value = comparisons.slice_value
        and metric_summaries.metric = comparisons.metric
        and metric_summaries.k = comparisons.k
        and metric_summaries.unit = comparisons.unit
        and metric_summaries.mode = comparisons.mode
        and comparisons.purpose = 'null_lift'
where
    metric_summaries.gold_set in ('p1', 'p2')
    and metric_summaries.slice_name = 'section'
    and metric_summaries.metric = 'hit'
    and metric_summaries.k = 5
order by
    metric_summaries.gold_set,
    metric_summaries.slice_value,
    metric_summaries.system_id,
    comparisons.system_b
