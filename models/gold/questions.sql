with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

int_p3_varied as (

    select * from {{ ref('int_p3_varied') }}

)

-- All that a system under test may know: the text and ids, no company, year or answer.
select
    'p3:' || gold_p3.question_id as item_id,
    'p3' as gold_set,
    gold_p3.question_id,
    gold_p3.question_text,
    int_p3_varied.variant_of,
    gold_p3.gold_version
from gold_p3
inner join int_p3_varied
    on gold_p3.question_id = int_p3_varied.question_id
