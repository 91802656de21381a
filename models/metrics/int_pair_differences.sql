with

int_pairs_registered as (

    select * from {{ ref('int_pairs_registered') }}

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

-- Without its failures a system would be compared on its easy questions alone: what is
-- missing counts as the worst share. Whether there was anything to find is asked of the
-- item: a failure does not say it. Strict scores of a public set do: they are uncovered
-- where the gold is at fault, and they count a cited page that was not loaded.
-- Who declines what is not disclosed lacks nothing.
counted as (

    select
        metric_values.system_id,
        metric_values.gold_set,
        metric_values.item_id,
        metric_values.metric,
        metric_values.k,
        metric_values.unit,
        metric_values.mode,
        metric_values.value_status <> 'evaluated' as is_missing,
        case
            when metric_values.value_status = 'evaluated' then metric_values.value
            when metric_catalogue.direction = 'min' then 1
            else 0
        end as value
    from metric_values
    inner join metric_catalogue
        on
            metric_values.metric = metric_catalogue.metric
            and metric_values.k = metric_catalogue.k
            and metric_values.unit = metric_catalogue.unit
            and metric_values.mode = metric_catalogue.mode
            and metric_catalogue.is_compared
    inner join int_items_graded
        on metric_values.item_id = int_items_graded.item_id
    where
        (
            not metric_catalogue.needs_gold
            or metric_values.mode = 'strict'
            or int_items_graded.n_relevant > 0
        )
        and metric_values.value_status <> 'uncovered'
        and not (
            metric_values.value_status = 'abstained'
            and coalesce(int_items_graded.answer_type, '') = 'no_answer'
        )

)

-- Paired by item: only items that both systems were asked.
select
    int_pairs_registered.pair_id,
    counted.gold_set,
    counted.item_id,
    counted.metric,
    counted.k,
    counted.unit,
    counted.mode,
    counted.is_missing as is_missing_a,
    other_counted.is_missing as is_missing_b,
    counted.value as value_a,
    other_counted.value as value_b,
    counted.value - other_counted.value as difference
from int_pairs_registered
inner join counted
    on int_pairs_registered.system_a = counted.system_id
inner join counted as other_counted
    on
        int_pairs_registered.system_b = other_counted.system_id
        and counted.item_id = other_counted.item_id
        and counted.metric = other_counted.metric
        and counted.k = other_counted.k
        and counted.unit = other_counted.unit
        and counted.mode = other_counted.mode
