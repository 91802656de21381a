with

metric_summaries as (

    select *
    from {{ ref('metric_summaries') }}
    where
        slice_name = {{ headline_slice('gold_set') }}
        and slice_value = 'all'

),

metric_catalogue as (

    select *
    from {{ ref('metric_catalogue') }}
    where
        page = '/agents'
        and k > 0

),

agent_steps as (

    select * from {{ ref('agent_steps') }}

),

agents as (

    select
        system_id,
        gold_set
    from agent_steps
    group by system_id, gold_set

)

select
    metric_summaries.run_id,
    metric_summaries.gold_set,
    metric_summaries.system_id,
    metric_summaries.metric,
    -- The curve has the label that its points share.
    regexp_replace(metric_catalogue.label, ' within \d+ turns?$', '')
        as metric_label,
    metric_summaries.k as turn,
    metric_summaries.mean as value,
    metric_summaries.ci_low,
    metric_summaries.ci_high,
    metric_summaries.n_evaluated as n
from metric_summaries
inner join agents
    on
        metric_summaries.system_id = agents.system_id
        and metric_summaries.gold_set = agents.gold_set
inner join metric_catalogue
    on
        metric_summaries.metric = metric_catalogue.metric
        and metric_summaries.k = metric_catalogue.k
        and metric_summaries.unit = metric_catalogue.unit
        and metric_summaries.mode = metric_catalogue.mode
where metric_summaries.n_evaluated > 0
