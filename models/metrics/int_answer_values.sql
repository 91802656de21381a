with

py_answers_scored as (

    select * from {{ ref('py_answers_scored') }}

)

select
    system_id,
    gold_set,
    item_id,
    null_kind,
    {{ unnest_structs('observations') }}
from py_answers_scored
