{#- Answers to questions for a figure, of systems and nulls alike. -#}
with

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

)

select
    system_id,
    gold_set,
    item_id,
    answer_text,
    numeric_value,
    unit,
    question_text,
    gold_text,
    gold_numeric,
    gold_unit,
    tolerance,
    other_period_values
from int_answer_pairs
where
    outcome = 'answered'
    and answer_type = 'numeric'
    and gold_numeric is not null
