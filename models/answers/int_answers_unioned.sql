with

py_questions_answered as (

    select * from {{ ref('py_questions_answered') }}

),

int_external_answers_checked as (

    select * from {{ ref('int_external_answers_checked') }}

),

question_readings as (

    select * from {{ ref('question_readings') }}

)

select
    system_id,
    item_id,
    outcome,
    failure,
    answer_text,
    answer_form,
    numeric_value,
    unit,
    support,
    latency_ms
from py_questions_answered

union all

select
    int_external_answers_checked.system_id,
    int_external_answers_checked.item_id,
    int_external_answers_checked.outcome,
    int_external_answers_checked.failure,
    -- A system may answer by its figure alone.
    coalesce(
        int_external_answers_checked.answer_text,
        cast(int_external_answers_checked.numeric_value as varchar)
    ) as answer_text,
    question_readings.answer_form,
    int_external_answers_checked.numeric_value,
    int_external_answers_checked.unit,
    cast(null as double) as support,
    int_external_answers_checked.latency_ms
from int_external_answers_checked
inner join question_readings
    on int_external_answers_checked.item_id = question_readings.item_id
where int_external_answers_checked.outcome <> 'not_run'
