{#-
    Every question for a figure and every real system: what its figure is worth.
    Nulls are judged by the same code but are no systems.
-#}
with

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

),

py_numbers_compared as (

    select * from {{ ref('py_numbers_compared') }}

)

select
    py_numbers_compared.system_id,
    py_numbers_compared.gold_set,
    py_numbers_compared.item_id,
    int_answer_pairs.outcome,
    py_numbers_compared.verdict,
    py_numbers_compared.gold_value,
    py_numbers_compared.gold_unit,
    py_numbers_compared.tolerance,
    py_numbers_compared.answer_value,
    py_numbers_compared.answer_unit,
    py_numbers_compared.answer_low,
    py_numbers_compared.answer_high,
    py_numbers_compared.read_from,
    py_numbers_compared.reason
from py_numbers_compared
inner join int_answer_pairs
    on
        py_numbers_compared.system_id = int_answer_pairs.system_id
        and py_numbers_compared.item_id = int_answer_pairs.item_id
where int_answer_pairs.null_kind is null
