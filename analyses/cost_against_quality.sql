-- What does a point of quality cost, in money and in time? Systems on questions, those
-- that nothing beats first.
-- Read is_on_frontier: no other system is at least as good, as cheap and as fast, and
-- better in one of them. dominated_by names one that is. Cost is null where a price is
-- not known, which is not free. Seconds are of the machine that the build ran on and
-- compare within one build only. Two systems whose intervals overlap may be equals.
with

system_frontiers as (

    select * from {{ ref('system_frontiers') }}

),

system_costs as (

    select * from {{ ref('system_costs') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

)

select
    system_frontiers.system_id,
    system_frontiers.gold_set,
    system_frontiers.quality_metric,
    system_frontiers.quality_k,
    system_frontiers.n_items,
    system_frontiers.quality,
    metric_summaries.ci_low,
    metric_summaries.ci_high,
    system_frontiers.latency_p50_ms,
    system_costs.latency_p95_ms,
    system_costs.n_timed,
    system_costs.n_calls,
    system_costs.input_tokens,
    system_costs.output_tokens,
    system_frontiers.cost_usd_per_query,
    system_costs.is_cost_known,
    system_frontiers.is_on_frontier,
    system_frontiers.dominated_by
from system_frontiers
left join system_costs
    on
        system_frontiers.system_id = system_costs.system_id
        and system_frontiers.gold_set = system_costs.gold_set
left join metric_summaries
    on
        system_frontiers.system_id = metric_summaries.system_id
        and system_frontiers.gold_set = metric_summaries.gold_set
        and system_frontiers.quality_metric = metric_summaries.metric
        and system_frontiers.quality_k = metric_summaries.k
        and system_frontiers.quality_unit = metric_summaries.unit
        and system_frontiers.quality_mode = metric_summaries.mode
        and metric_summaries.slice_name = 'sound'
order by
    system_frontiers.quality_metric asc,
    system_frontiers.is_on_frontier desc,
    system_frontiers.quality desc,
    system_frontiers.system_id asc
