{#-
    Which systems no other beats in quality, latency and cost at once. Systems that answer
    are set against each other, and so are systems that only retrieve.
-#}
with

runs as (

    select * from {{ ref('runs') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

system_costs as (

    select * from {{ ref('system_costs') }}

),

-- A question that a system failed is one it did not get right.
measured as (

    select
        metric_summaries.system_id,
        metric_summaries.gold_set,
        metric_summaries.metric,
        metric_summaries.k,
        metric_summaries.unit,
        metric_summaries.mode,
        metric_summaries.mean,
        metric_summaries.n_evaluated,
        metric_summaries.n_evaluated
        + metric_summaries.n_failed
        + metric_summaries.n_not_run as n_items
    from metric_summaries
    inner join registered_systems
        on
            metric_summaries.system_id = registered_systems.system_id
            and not registered_systems.is_null
    where
        {{ gold_set_is('filings', 'metric_summaries.gold_set') }}
        and metric_summaries.slice_name = 'sound'
        and (
            metric_summaries.metric = 'answer_accuracy'
            or (
                metric_summaries.metric = 'evidence_recall'
                and metric_summaries.k = 10
                and metric_summaries.unit = 'sentence'
            )
        )

),

-- A system that answers is judged by its answers.
chosen as (

    select *
    from measured
    qualify
        row_number() over (
            partition by system_id, gold_set
            order by metric
        ) = 1

),

placed as (

    select
        chosen.*,
        chosen.mean * chosen.n_evaluated / nullif(chosen.n_items, 0) as quality,
        system_costs.latency_p50_ms,
        system_costs.cost_usd_per_query
    from chosen
    inner join system_costs
        on
            chosen.system_id = system_costs.system_id
            and chosen.gold_set = system_costs.gold_set

),

dominations as (

    select
        placed.system_id,
        placed.gold_set,
        rivals.system_id as dominated_by
    from placed
    inner join placed as rivals
        on
            placed.gold_set = rivals.gold_set
            and placed.metric = rivals.metric
            and placed.system_id <> rivals.system_id
            and placed.quality <= rivals.quality
            and placed.latency_p50_ms >= rivals.latency_p50_ms
            and placed.cost_usd_per_query >= rivals.cost_usd_per_query
            and (
                placed.quality < rivals.quality
                or placed.latency_p50_ms > rivals.latency_p50_ms
                or placed.cost_usd_per_query > rivals.cost_usd_per_query
            )
    qualify
        row_number() over (
            partition by placed.system_id, placed.gold_set
            order by rivals.quality desc, rivals.system_id asc
        ) = 1

)

select
    placed.system_id || '|' || placed.gold_set as frontier_id,
    runs.run_id,
    placed.system_id,
    placed.gold_set,
    placed.metric as quality_metric,
    placed.k as quality_k,
    placed.unit as quality_unit,
    placed.mode as quality_mode,
    placed.n_items,
    placed.quality,
    placed.latency_p50_ms,
    placed.cost_usd_per_query,
    case
        when
            placed.quality is not null
            and placed.latency_p50_ms is not null
            and placed.cost_usd_per_query is not null
            then dominations.dominated_by is null
    end as is_on_frontier,
    dominations.dominated_by
from placed
cross join runs
left join dominations
    on
        placed.system_id = dominations.system_id
        and placed.gold_set = dominations.gold_set
