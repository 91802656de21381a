{#-
    The figures that the page Retrieval filters. Companies, and what crosses two slices, are
    left out: hundreds of rows a system, most over a handful of items.
-#}
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

metric_drifts as (

    select * from {{ ref('metric_drifts') }}

),

int_slices_named as (

    select * from {{ ref('int_slices_named') }}

),

baseline as (

    select count(*) > 0 as has_baseline
    from metric_drifts

),

chosen as (

    select metric_summaries.*
    from metric_summaries
    inner join metric_catalogue
        on
            metric_summaries.metric = metric_catalogue.metric
            and metric_summaries.k = metric_catalogue.k
            and metric_summaries.unit = metric_catalogue.unit
            and metric_summaries.mode = metric_catalogue.mode
            and metric_catalogue.capability = 'search'
            and metric_catalogue.value_unit = 'share'
    where
        metric_summaries.slice_name in (
            'overall', 'sound', 'length_bucket', 'section', 'scope', 'category',
            'difficulty'
        )

)

select
    chosen.summary_id as score_id,
    chosen.run_id,
    chosen.system_id,
    registered_systems.system_kind,
    registered_systems.regime,
    registered_systems.is_null,
    chosen.gold_set,
    chosen.slice_name,
    int_slices_named.slice_title,
    chosen.slice_value,
    int_slices_named.slice_label,
    cast(int_slices_named.slice_order as integer) as slice_order,
    chosen.metric,
    chosen.k,
    chosen.unit,
    chosen.mode,
    metric_catalogue.label as metric_label,
    chosen.mean as value,
    chosen.ci_low,
    chosen.ci_high,
    chosen.n_evaluated as n,
    chosen.n_asked,
    chosen.n_uncovered,
    chosen.n_failed + chosen.n_not_run as n_failed,
    chosen.n_clusters,
    case
        when chosen.n_evaluated > 0 and chosen.ci_low is not null then 'measured'
        when chosen.n_evaluated > 0 then 'too_few'
        when chosen.n_uncovered = chosen.n_asked then 'not_applicable'
        else 'unmeasured'
    end as status,
    case
        when chosen.n_evaluated > 0 and chosen.ci_low is not null then null
        when chosen.n_evaluated > 0
            then 'All items are of one filing, company or document: no interval.'
        when chosen.n_uncovered = chosen.n_asked
            then 'No item here has anything to find, so there is nothing to score.'
        when
            chosen.n_failed + chosen.n_not_run > 0
            and chosen.n_failed + chosen.n_not_run
            = chosen.n_asked - chosen.n_uncovered
            then 'Every query failed or was not run.'
        when chosen.n_failed + chosen.n_not_run > 0
            then
                'Nothing was scored: '
                || cast(chosen.n_failed + chosen.n_not_run as varchar) || ' of '
                || cast(chosen.n_asked - chosen.n_uncovered as varchar)
                || ' queries failed or were not run.'
        else 'Nothing was scored.'
    end as why,
    metric_drifts.baseline_mean as baseline_value,
    metric_drifts.change,
    case
        when metric_drifts.change is null or metric_drifts.change = 0 then null
        when metric_catalogue.direction = 'max' then metric_drifts.change > 0
        else metric_drifts.change < 0
    end as is_better,
    case
        when metric_drifts.change is not null then null
        when not baseline.has_baseline then 'No baseline is set.'
        when metric_drifts.drift_id is null
            then 'No earlier value.'
        else coalesce(metric_drifts.why_not, 'This run has no value to compare.')
    end as baseline_why
from chosen
cross join baseline
inner join registered_systems
    on chosen.system_id = registered_systems.system_id
inner join metric_catalogue
    on
        chosen.metric = metric_catalogue.metric
        and chosen.k = metric_catalogue.k
        and chosen.unit = metric_catalogue.unit
        and chosen.mode = metric_catalogue.mode
inner join int_slices_named
    on
        chosen.slice_name = int_slices_named.slice_name
        and chosen.slice_value = int_slices_named.slice_value
left join metric_drifts
    on
        chosen.system_id = metric_drifts.system_id
        and chosen.gold_set = metric_drifts.gold_set
        and chosen.slice_name = metric_drifts.slice_name
        and chosen.slice_value = metric_drifts.slice_value
        and chosen.metric = metric_drifts.metric
        and chosen.k = metric_drifts.k
        and chosen.unit = metric_drifts.unit
        and chosen.mode = metric_drifts.mode
