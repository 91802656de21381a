{#-
    Every system is asked the same items, so the counts of one are those of all; the largest
    is taken, as a system may be asked part of them only.
-#}
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

int_slices_named as (

    select * from {{ ref('int_slices_named') }}

),

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

page_figures as (

    select * from {{ ref('page_figures') }}

),

figures as (

    select *
    from page_figures
    where shown_in = 'rpt_retrieval_coverage'

),

counted as (

    select
        metric_summaries.run_id,
        metric_summaries.gold_set,
        metric_summaries.slice_name,
        metric_summaries.slice_value,
        max(metric_summaries.n_asked) as n_asked,
        max(metric_summaries.n_uncovered) as n_uncovered
    from metric_summaries
    inner join registered_systems
        on metric_summaries.system_id = registered_systems.system_id
    inner join figures
        on
            figures.figure_id = 'asked'
            and metric_summaries.metric = figures.metric
            and metric_summaries.k = figures.k
            and metric_summaries.unit = figures.unit
            and metric_summaries.mode = figures.mode
    where
        metric_summaries.slice_name in (
            'overall', 'length_bucket', 'section', 'scope', 'category', 'difficulty'
        )
    group by
        metric_summaries.run_id,
        metric_summaries.gold_set,
        metric_summaries.slice_name,
        metric_summaries.slice_value

),

coverages as (

    select metric_summaries.*
    from metric_summaries
    inner join figures
        on
            figures.measured_of = 'gold'
            and metric_summaries.gold_set = figures.gold_set
            and metric_summaries.metric = figures.metric
            and metric_summaries.k = figures.k
            and metric_summaries.unit = figures.unit
            and metric_summaries.mode = figures.mode
    where metric_summaries.system_id = 'gold'

),

limits as (

    select
        gate_verdicts.gold_set,
        gate_verdicts.slice_name,
        max(gate_verdicts.limit_value) as limit_value
    from gate_verdicts
    inner join figures
        on
            figures.figure_id = 'covered'
            and gate_verdicts.gold_set = figures.gold_set
            and gate_verdicts.metric = figures.metric
    where
        gate_verdicts.system_id = 'gold'
        and gate_verdicts.slice_name = 'overall'
        and gate_verdicts.statistic = 'mean'
    group by gate_verdicts.gold_set, gate_verdicts.slice_name

)

select
    counted.run_id,
    counted.gold_set,
    counted.slice_name,
    int_slices_named.slice_title,
    counted.slice_value,
    int_slices_named.slice_label,
    cast(int_slices_named.slice_order as integer) as slice_order,
    counted.n_asked,
    counted.n_uncovered,
    coverages.mean as value,
    coverages.ci_low,
    coverages.ci_high,
    coverages.n_evaluated as n,
    case when coverages.mean is null then 'unmeasured' else 'measured' end as status,
    case
        when coverages.mean is null
            then 'Only the counts are known here; the share is measured over all items.'
    end as why,
    limits.limit_value
from counted
inner join int_slices_named
    on
        counted.slice_name = int_slices_named.slice_name
        and counted.slice_value = int_slices_named.slice_value
left join coverages
    on
        counted.gold_set = coverages.gold_set
        and counted.slice_name = coverages.slice_name
        and counted.slice_value = coverages.slice_value
left join limits
    on
        counted.gold_set = limits.gold_set
        and counted.slice_name = limits.slice_name
