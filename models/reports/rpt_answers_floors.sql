with

metric_floors as (

    select * from {{ ref('metric_floors') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

rpt_answers_metrics as (

    select * from {{ ref('rpt_answers_metrics') }}

)

select
    metric_floors.run_id,
    metric_floors.gold_set,
    metric_floors.system_id,
    metric_floors.slice_name,
    metric_floors.slice_value,
    metric_floors.metric,
    metric_floors.k,
    metric_floors.unit,
    metric_floors.mode,
    rpt_answers_metrics.label,
    rpt_answers_metrics.part,
    rpt_answers_metrics.direction,
    metric_floors.null_kind,
    metric_floors.score,
    case when metric_floors.score is not null then metric_summaries.ci_low end
        as ci_low,
    case when metric_floors.score is not null then metric_summaries.ci_high end
        as ci_high,
    metric_floors.n,
    metric_summaries.n_asked,
    metric_floors.null_mean,
    metric_floors.null_p90,
    metric_floors.null_mean_p90,
    metric_floors.n_null,
    metric_floors.distance,
    metric_floors.is_above_null,
    metric_floors.scorer_id,
    case
        when metric_floors.distance is not null then 'measured'
        when metric_floors.score is null then 'unmeasured'
        when metric_floors.n_null = 0 then 'not_applicable'
        else 'too_few'
    end as status,
    case
        when metric_floors.distance is not null then null
        when metric_floors.score is null then 'The system has no score to compare.'
        when metric_floors.n_null = 0
            then 'No null answer of this kind can be scored by it.'
        else 'Only ' || metric_floors.n_null || ' null answers: too few for a floor.'
    end as why
from metric_floors
inner join rpt_answers_metrics
    on
        metric_floors.metric = rpt_answers_metrics.metric
        and metric_floors.k = rpt_answers_metrics.k
        and metric_floors.unit = rpt_answers_metrics.unit
        and metric_floors.mode = rpt_answers_metrics.mode
left join metric_summaries
    on
        metric_floors.system_id = metric_summaries.system_id
        and metric_floors.gold_set = metric_summaries.gold_set
        and metric_floors.slice_name = metric_summaries.slice_name
        and metric_floors.slice_value = metric_summaries.slice_value
        and metric_floors.metric = metric_summaries.metric
        and metric_floors.k = metric_summaries.k
        and metric_floors.unit = metric_summaries.unit
        and metric_floors.mode = metric_summaries.mode
where metric_floors.slice_name in ('overall', 'sound')
