{#-
    Every question for a figure and every real system: what its figure is worth.
    Nulls are judged by the same code but are no systems.
-#}
with

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

),

py_numbers_judged as (

    select * from {{ ref('py_numbers_judged') }}

)

select
    py_numbers_judged.system_id,
    py_numbers_judged.gold_set,
    py_numbers_judged.item_id,
    int_answer_pairs.outcome,
    py_numbers_judged.verdict,
    py_numbers_judged.gold_value,
    py_numbers_judged.gold_unit,
    py_numbers_judged.tolerance,
    py_numbers_judged.answer_value,
    py_numbers_judged.answer_unit,
    py_numbers_judged.answer_low,
    py_numbers_judged.answer_high,
    py_numbers_judged.read_from,
    py_numbers_judged.reason
from py_numbers_judged
inner join int_answer_pairs
    on
        py_numbers_judged.system_id = int_answer_pairs.system_id
        and py_numbers_judged.item_id = int_answer_pairs.item_id
where int_answer_pairs.null_kind is null
