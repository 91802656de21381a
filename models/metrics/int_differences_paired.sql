{#-
    Two systems on the same items: of the pairs that are registered on every metric that is
    compared, of the matrix of all real systems on the headline metrics over sound items.
-#}
with

int_pairs_registered as (

    select * from {{ ref('int_pairs_registered') }}

),

registered_systems as (

    select *
    from {{ ref('registered_systems') }}
    where not is_null

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

metric_catalogue as (

    select *
    from {{ ref('metric_catalogue') }}
    where is_compared or is_headline

),

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

int_items_excluded as (

    select * from {{ ref('int_items_excluded') }}

),

returned_passages as (

    select *
    from {{ ref('returned_passages') }}
    where n_recognised = 0

),

-- A pair of the matrix stands once.
asked as (

    select
        'pairs' as asked_for,
        pair_id,
        system_a,
        system_b
    from int_pairs_registered

    union all

    select
        'matrix' as asked_for,
        registered_systems.system_id || '|' || rivals.system_id as pair_id,
        registered_systems.system_id as system_a,
        rivals.system_id as system_b
    from registered_systems
    inner join registered_systems as rivals
        on registered_systems.system_id < rivals.system_id

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
        end as value,
        metric_catalogue.is_compared as is_of_pairs,
        metric_catalogue.is_headline
        and int_items_excluded.item_id is null as is_of_matrix
    from metric_values
    inner join metric_catalogue
        on
            metric_values.metric = metric_catalogue.metric
            and metric_values.k = metric_catalogue.k
            and metric_values.unit = metric_catalogue.unit
            and metric_values.mode = metric_catalogue.mode
    inner join int_items_graded
        on metric_values.item_id = int_items_graded.item_id
    left join int_items_excluded
        on metric_values.item_id = int_items_excluded.item_id
    left join returned_passages
        on
            metric_values.system_id = returned_passages.system_id
            and metric_values.gold_set = returned_passages.gold_set
    where
        (
            not metric_catalogue.needs_gold
            or metric_values.mode = 'strict'
            or int_items_graded.n_relevant > 0
        )
        and metric_values.value_status <> 'uncovered'
        -- Passages that nobody recognises are not the worst ones.
        and not (
            returned_passages.system_id is not null
            and {{ needs_passages('metric_catalogue') }}
        )
        and not (
            metric_values.value_status = 'abstained'
            and coalesce(int_items_graded.answer_type, '') = 'no_answer'
        )

)

-- Paired by item: only items that both systems were asked.
select
    asked.asked_for,
    asked.pair_id,
    asked.system_a,
    asked.system_b,
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
from asked
inner join counted
    on
        asked.system_a = counted.system_id
        and case asked.asked_for
            when 'pairs' then counted.is_of_pairs
            else counted.is_of_matrix
        end
inner join counted as other_counted
    on
        asked.system_b = other_counted.system_id
        and counted.item_id = other_counted.item_id
        and counted.metric = other_counted.metric
        and counted.k = other_counted.k
        and counted.unit = other_counted.unit
        and counted.mode = other_counted.mode
