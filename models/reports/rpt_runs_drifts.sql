with

metric_drifts as (

    select * from {{ ref('metric_drifts') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

gate_measures as (

    select * from {{ ref('gate_measures') }}

),

-- Of a distance nobody knows which way is good.
directions as (

    select
        metric,
        k,
        unit,
        mode,
        direction
    from metric_catalogue

    union all

    select
        metric,
        k,
        unit,
        mode,
        direction
    from gate_measures

)

select
    metric_drifts.drift_id,
    metric_drifts.run_id,
    metric_drifts.baseline,
    cast(metric_drifts.set_on as varchar) as set_on,
    metric_drifts.system_id,
    metric_drifts.gold_set,
    metric_drifts.slice_name,
    metric_drifts.slice_value,
    metric_drifts.metric,
    metric_drifts.k,
    metric_drifts.unit,
    metric_drifts.mode,
    metric_drifts.scorer_id,
    metric_drifts.is_same_corpus,
    case
        when metric_drifts.mean is null then 'unmeasured'
        when not metric_drifts.is_comparable then 'not_applicable'
        else 'measured'
    end as status,
    coalesce(
        metric_drifts.why_not,
        case
            when metric_drifts.mean is null
                then 'this run lacks what the baseline has'
        end
    ) as why,
    metric_drifts.baseline_mean as baseline_value,
    metric_drifts.baseline_ci_low,
    metric_drifts.baseline_ci_high,
    metric_drifts.baseline_n,
    metric_drifts.mean as value,
    metric_drifts.n,
    metric_drifts.change,
    metric_drifts.relative_change,
    metric_drifts.is_beyond_interval,
    case
        when metric_drifts.change is null or metric_drifts.change = 0 then null
        when directions.direction = 'max' then metric_drifts.change > 0
        when directions.direction = 'min' then metric_drifts.change < 0
    end as is_better,
    case
        when metric_drifts.change is null then null
        when metric_drifts.change = 0 then 'unchanged'
        when directions.direction is null then 'undetermined'
        when (directions.direction = 'max') = (metric_drifts.change > 0)
            then 'better'
        else 'worse'
    end as drift
from metric_drifts
left join directions
    on
        metric_drifts.metric = directions.metric
        and metric_drifts.k = directions.k
        and metric_drifts.unit = directions.unit
        and metric_drifts.mode = directions.mode
