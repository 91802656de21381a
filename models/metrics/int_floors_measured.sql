{#-
    What nulls score, slice by slice: of rankings the random systems of a regime; of answers
    the null answers, which are the same for every system, and to public sets the random
    systems that answer too. Percentiles are of single values; the one of a share's
    mean depends on n and is taken in metric_floors.
-#}
with

metric_values as (

    select * from {{ ref('metric_values') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

int_answer_values as (

    select * from {{ ref('int_answer_values') }}

),

null_values as (

    select
        'random_order' as null_kind,
        case
            when metric_values.unit = 'answer' then 'any'
            else registered_systems.regime
        end as regime,
        metric_values.item_id,
        metric_values.metric,
        metric_values.k,
        metric_values.unit,
        metric_values.mode,
        cast(null as varchar) as scorer_id,
        metric_values.value
    from metric_values
    inner join registered_systems
        on
            metric_values.system_id = registered_systems.system_id
            and registered_systems.is_null
            -- A system without an answerer that names speakers from what it found is
            -- another null of the same question.
            and (
                metric_values.unit <> 'answer'
                or registered_systems.answerer <> 'none'
            )
    where metric_values.value_status = 'evaluated'

    union all

    select
        null_kind,
        'any' as regime,
        item_id,
        metric,
        k,
        unit,
        mode,
        scorer_id,
        value
    from int_answer_values
    where
        null_kind is not null
        and value_status = 'evaluated'

)

-- One value that is no number leaves the floor unknown.
select
    null_values.null_kind,
    null_values.regime,
    item_slices.gold_set,
    item_slices.slice_name,
    item_slices.slice_value,
    null_values.metric,
    null_values.k,
    null_values.unit,
    null_values.mode,
    null_values.scorer_id,
    count(*) as n_null,
    bool_or(isnan(null_values.value)) as has_nan,
    {{ exact_mean(
        'case when not isnan(null_values.value) then null_values.value end'
    ) }} as null_mean,
    {{ exact_mean(
        'case when not isnan(null_values.value) '
        ~ 'then null_values.value * null_values.value end'
    ) }} as null_mean_of_squares,
    quantile_cont(null_values.value, 0.9) as null_p90,
    quantile_cont(null_values.value, 0.1) as null_p10
from null_values
inner join item_slices
    on
        null_values.item_id = item_slices.item_id
        and item_slices.slice_name in ('overall', 'sound', 'sound_scope')
group by
    null_values.null_kind,
    null_values.regime,
    item_slices.gold_set,
    item_slices.slice_name,
    item_slices.slice_value,
    null_values.metric,
    null_values.k,
    null_values.unit,
    null_values.mode,
    null_values.scorer_id
