with

py_answers_scored as (

    select *
    from {{ ref('py_answers_scored') }}
    where null_kind is null

)

select
    system_id,
    gold_set,
    item_id,
    outcome,
    is_right,
    metric,
    k,
    unit,
    mode
from py_answers_scored
