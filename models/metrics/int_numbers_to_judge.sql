{#-
    Questions for a figure, of systems and nulls alike, answered or not. The gold of a public
    set is words: whether they are one figure is known when they are read.
-#}
with

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

)

select
    system_id,
    gold_set,
    item_id,
    outcome,
    answer_text,
    numeric_value,
    unit,
    question_text,
    gold_text,
    gold_numeric,
    gold_unit,
    tolerance,
    other_period_values,
    golds,
    executed_answer,
    scale
from int_answer_pairs
where
    (
        answer_type = 'numeric'
        and gold_numeric is not null
    )
    or (
        {{ gold_set_is('public', 'gold_set') }}
        and answer_type is distinct from 'speaker'
        and coalesce(is_answerable, true)
        and not coalesce(is_list, false)
        and is_program is not true
        -- A file may hold what people said of an answer, and no answer.
        and (outcome <> 'answered' or answer_text is not null)
    )
