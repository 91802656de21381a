with

int_gold_judged as (

    select * from {{ ref('int_gold_judged') }}

),

gold_p1 as (

    select * from {{ ref('gold_p1') }}

),

gold_p2 as (

    select * from {{ ref('gold_p2') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

-- The gold sets stand between the windows and the judgments, so that
-- `--select gold_p1+` reaches all that follows from a set.
items as (

    select item_id
    from gold_p1

    union all

    select item_id
    from gold_p2

    union all

    select 'p3:' || question_id as item_id
    from gold_p3

)

select
    int_gold_judged.gold_set,
    int_gold_judged.item_id,
    int_gold_judged.sentence_id,
    int_gold_judged.grade,
    int_gold_judged.distance,
    int_gold_judged.stands_for_sentence_id
from int_gold_judged
inner join items
    on int_gold_judged.item_id = items.item_id
