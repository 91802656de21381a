with

system_frontiers as (

    select * from {{ ref('system_frontiers') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

system_costs as (

    select * from {{ ref('system_costs') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

)

select
    system_frontiers.frontier_id,
    system_frontiers.run_id,
    system_frontiers.system_id,
    system_frontiers.gold_set,
    system_frontiers.quality_metric,
    system_frontiers.quality_k,
    system_frontiers.quality_unit,
    system_frontiers.quality_mode,
    metric_catalogue.label as quality_label,
    system_frontiers.quality,
    -- The interval is of the mean over what was evaluated: another one with failures.
    case
        when metric_summaries.n_failed + metric_summaries.n_not_run = 0
            then metric_summaries.ci_low
    end as ci_low,
    case
        when metric_summaries.n_failed + metric_summaries.n_not_run = 0
            then metric_summaries.ci_high
    end as ci_high,
    system_frontiers.n_items as n,
    system_frontiers.latency_p50_ms,
    system_costs.latency_p95_ms,
    system_costs.n_timed,
    system_frontiers.cost_usd_per_query,
    system_frontiers.is_on_frontier,
    case
        when system_frontiers.is_on_frontier then 'on the frontier'
        when not system_frontiers.is_on_frontier then 'beaten'
        else 'unknown'
    end as place,
    system_frontiers.dominated_by,
    case
        when system_frontiers.is_on_frontier is null then 'unmeasured'
        else 'measured'
    end as status,
    case
        when system_frontiers.is_on_frontier is not null then null
        when system_frontiers.quality is null then 'Its quality was not measured.'
        when system_frontiers.latency_p50_ms is null then 'It was not timed.'
        else 'What a question costs is not known.'
    end as why
from system_frontiers
inner join metric_catalogue
    on
        system_frontiers.quality_metric = metric_catalogue.metric
        and system_frontiers.quality_k = metric_catalogue.k
        and system_frontiers.quality_unit = metric_catalogue.unit
        and system_frontiers.quality_mode = metric_catalogue.mode
left join system_costs
    on
        system_frontiers.system_id = system_costs.system_id
        and system_frontiers.gold_set = system_costs.gold_set
left join metric_summaries
    on
        system_frontiers.system_id = metric_summaries.system_id
        and system_frontiers.gold_set = metric_summaries.gold_set
        and metric_summaries.slice_name = 'sound'
        and metric_summaries.slice_value = 'all'
        and system_frontiers.quality_metric = metric_summaries.metric
        and system_frontiers.quality_k = metric_summaries.k
        and system_frontiers.quality_unit = metric_summaries.unit
        and system_frontiers.quality_mode = metric_summaries.mode
