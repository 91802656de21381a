with

int_anchor_neighbours as (

    select * from {{ ref('int_anchor_neighbours') }}

),

int_p3_evidence as (

    select * from {{ ref('int_p3_evidence') }}

),

int_p3_alternatives as (

    select * from {{ ref('int_p3_alternatives') }}

),

int_p2_windows_grown as (

    select * from {{ ref('int_p2_windows_grown') }}

),

p1_judgments as (

    select
        gold_set,
        item_id,
        sentence_id,
        distance
    from int_anchor_neighbours
    where
        gold_set = 'p1'
        and distance <= {{ var('p1_window') | int }}

),

p2_judgments as (

    select
        int_anchor_neighbours.gold_set,
        int_anchor_neighbours.item_id,
        int_anchor_neighbours.sentence_id,
        int_anchor_neighbours.distance
    from int_anchor_neighbours
    inner join int_p2_windows_grown
        on int_anchor_neighbours.item_id = int_p2_windows_grown.item_id
    where
        int_anchor_neighbours.is_usable
        and int_anchor_neighbours.distance <= int_p2_windows_grown.window_size

),

p3_judgments as (

    select
        'p3' as gold_set,
        'p3:' || question_id as item_id,
        sentence_id,
        sentence_id as stands_for_sentence_id
    from int_p3_evidence

    union all

    select
        'p3' as gold_set,
        'p3:' || question_id as item_id,
        sentence_id,
        stands_for_sentence_id
    from int_p3_alternatives

),

judged as (

    select
        *,
        sentence_id as stands_for_sentence_id
    from p1_judgments

    union all

    select
        *,
        sentence_id as stands_for_sentence_id
    from p2_judgments

    union all

    select
        gold_set,
        item_id,
        sentence_id,
        cast(null as bigint) as distance,
        stands_for_sentence_id
    from p3_judgments

)

select
    gold_set,
    item_id,
    sentence_id,
    cast(1 as integer) as grade,
    cast(distance as integer) as distance,
    stands_for_sentence_id
from judged
