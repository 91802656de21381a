with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

headlines as (

    select
        metric,
        k,
        unit,
        mode,
        needs_gold,
        direction
    from metric_catalogue
    where is_headline

),

-- As in comparisons: what a system failed counts as the worst value, and who declines
-- what is not disclosed lacks nothing.
counted as (

    select
        metric_values.system_id,
        metric_values.gold_set,
        metric_values.item_id,
        metric_values.metric,
        metric_values.k,
        metric_values.unit,
        metric_values.mode,
        case
            when metric_values.value_status = 'evaluated' then metric_values.value
            when headlines.direction = 'min' then 1
            else 0
        end as value
    from metric_values
    inner join registered_systems
        on
            metric_values.system_id = registered_systems.system_id
            and not registered_systems.is_null
    inner join headlines
        on
            metric_values.metric = headlines.metric
            and metric_values.k = headlines.k
            and metric_values.unit = headlines.unit
            and metric_values.mode = headlines.mode
    inner join int_items_graded
        on metric_values.item_id = int_items_graded.item_id
    where
        not int_items_graded.is_excluded
        and (
            not headlines.needs_gold
            or metric_values.mode = 'strict'
            or int_items_graded.n_relevant > 0
        )
        and metric_values.value_status <> 'uncovered'
        and not (
            metric_values.value_status = 'abstained'
            and coalesce(int_items_graded.answer_type, '') = 'no_answer'
        )

)

select
    counted.system_id || '|' || other_counted.system_id as pair_id,
    counted.system_id as system_a,
    other_counted.system_id as system_b,
    counted.gold_set,
    counted.item_id,
    counted.metric,
    counted.k,
    counted.unit,
    counted.mode,
    counted.value as value_a,
    other_counted.value as value_b,
    counted.value - other_counted.value as difference
from counted
inner join counted as other_counted
    on
        counted.item_id = other_counted.item_id
        and counted.metric = other_counted.metric
        and counted.k = other_counted.k
        and counted.unit = other_counted.unit
        and counted.mode = other_counted.mode
        and counted.system_id < other_counted.system_id
