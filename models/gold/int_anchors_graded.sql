with

int_anchor_neighbours as (

    select * from {{ ref('int_anchor_neighbours') }}

),

int_p2_windows_grown as (

    select * from {{ ref('int_p2_windows_grown') }}

)

select
    gold_set,
    item_id,
    sentence_id,
    cast(distance as integer) as distance
from int_anchor_neighbours
where
    gold_set = 'p1'
    and distance <= {{ var('p1_window') | int }}

union all

select
    int_anchor_neighbours.gold_set,
    int_anchor_neighbours.item_id,
    int_anchor_neighbours.sentence_id,
    cast(int_anchor_neighbours.distance as integer) as distance
from int_anchor_neighbours
inner join int_p2_windows_grown
    on int_anchor_neighbours.item_id = int_p2_windows_grown.item_id
where
    int_anchor_neighbours.is_usable
    and int_anchor_neighbours.distance <= int_p2_windows_grown.window_size
