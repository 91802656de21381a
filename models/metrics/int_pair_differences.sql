with

system_pairs as (

    select * from {{ ref('system_pairs') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

)

-- Paired by item: only items that both systems were evaluated on.
select
    system_pairs.pair_id,
    metric_values.gold_set,
    metric_values.item_id,
    metric_values.metric,
    metric_values.k,
    metric_values.value as value_a,
    other_values.value as value_b,
    metric_values.value - other_values.value as difference
from system_pairs
inner join metric_values
    on system_pairs.system_a = metric_values.system_id
inner join metric_catalogue
    on
        metric_values.metric = metric_catalogue.metric
        and metric_values.k = metric_catalogue.k
        and metric_catalogue.is_compared
inner join metric_values as other_values
    on
        system_pairs.system_b = other_values.system_id
        and metric_values.item_id = other_values.item_id
        and metric_values.metric = other_values.metric
        and metric_values.k = other_values.k
where
    metric_values.value_status = 'evaluated'
    and other_values.value_status = 'evaluated'
