with

int_pair_differences as (

    select * from {{ ref('int_pair_differences') }}

),

int_items_sliced as (

    select * from {{ ref('int_items_sliced') }}

)

-- An item on which two systems agree says nothing about which is better.
select
    int_items_sliced.gold_set,
    int_items_sliced.slice_name,
    int_items_sliced.slice_value,
    int_pair_differences.pair_id,
    int_pair_differences.metric,
    int_pair_differences.k,
    {{
        ordered_list('int_pair_differences.difference', 'int_pair_differences.item_id')
    }} as differences
from int_pair_differences
inner join int_items_sliced
    on int_pair_differences.item_id = int_items_sliced.item_id
where int_pair_differences.difference <> 0
group by
    int_items_sliced.gold_set,
    int_items_sliced.slice_name,
    int_items_sliced.slice_value,
    int_pair_differences.pair_id,
    int_pair_differences.metric,
    int_pair_differences.k
