{#- Every question for a figure and every real system: what its figure is worth.
    Nulls are judged by the same code but are no systems. -#}
with

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

),

py_numbers_judged as (

    select * from {{ ref('py_numbers_judged') }}

)

select
    int_answer_pairs.system_id,
    int_answer_pairs.gold_set,
    int_answer_pairs.item_id,
    int_answer_pairs.outcome,
    py_numbers_judged.verdict,
    int_answer_pairs.gold_numeric as gold_value,
    int_answer_pairs.gold_unit,
    int_answer_pairs.tolerance,
    py_numbers_judged.answer_value,
    py_numbers_judged.answer_unit,
    py_numbers_judged.answer_low,
    py_numbers_judged.answer_high,
    coalesce(py_numbers_judged.read_from, 'none') as read_from,
    coalesce(
        py_numbers_judged.reason,
        'There is no answer to judge: ' || int_answer_pairs.outcome || '.'
    ) as reason
from int_answer_pairs
left join py_numbers_judged
    on
        int_answer_pairs.system_id = py_numbers_judged.system_id
        and int_answer_pairs.gold_set = py_numbers_judged.gold_set
        and int_answer_pairs.item_id = py_numbers_judged.item_id
where
    int_answer_pairs.null_kind is null
    and int_answer_pairs.answer_type = 'numeric'
    and int_answer_pairs.gold_numeric is not null
