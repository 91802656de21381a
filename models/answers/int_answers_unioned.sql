with

items as (

    select * from {{ ref('items') }}

),

py_questions_answered as (

    select * from {{ ref('py_questions_answered') }}

),

int_external_answers_checked as (

    select * from {{ ref('int_external_answers_checked') }}

),

py_calls_attributed as (

    select * from {{ ref('py_calls_attributed') }}

),

question_readings as (

    select * from {{ ref('question_readings') }}

)

select
    py_questions_answered.system_id,
    py_questions_answered.item_id,
    items.gold_set,
    py_questions_answered.outcome,
    py_questions_answered.failure,
    py_questions_answered.answer_text,
    py_questions_answered.answer_form,
    py_questions_answered.numeric_value,
    py_questions_answered.unit,
    py_questions_answered.support,
    -- As files of public sets have it; a figure without a unit is in that of its table.
    case
        when {{ gold_set_is('filings', 'items.gold_set') }} then null
        when py_questions_answered.answer_form = 'list'
            then py_questions_answered.answer_text
        when
            py_questions_answered.numeric_value is null
            or py_questions_answered.unit is not null
            then cast(to_json(py_questions_answered.answer_text) as varchar)
        else cast(to_json(py_questions_answered.numeric_value) as varchar)
    end as answer,
    cast(null as varchar) as scale,
    cast(null as varchar) as program,
    cast(null as varchar) as speaker,
    cast(null as varchar) as role,
    cast(null as varchar) as label,
    cast(null as varchar) as label_by,
    cast(null as boolean) as is_contained,
    cast(null as varchar) as configuration,
    cast(null as bigint) as n_answers,
    true as is_citing,
    cast(null as varchar) as source_file,
    cast(null as bigint) as source_line,
    py_questions_answered.latency_ms
from py_questions_answered
inner join items
    on py_questions_answered.item_id = items.item_id

union all

select
    int_external_answers_checked.system_id,
    int_external_answers_checked.item_id,
    int_external_answers_checked.gold_set,
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
    int_external_answers_checked.answer,
    int_external_answers_checked.scale,
    int_external_answers_checked.program,
    int_external_answers_checked.speaker,
    int_external_answers_checked.role,
    int_external_answers_checked.label,
    int_external_answers_checked.label_by,
    int_external_answers_checked.is_contained,
    int_external_answers_checked.configuration,
    int_external_answers_checked.n_answers,
    int_external_answers_checked.is_citing,
    int_external_answers_checked.source_file,
    int_external_answers_checked.source_line,
    int_external_answers_checked.latency_ms
from int_external_answers_checked
left join question_readings
    on int_external_answers_checked.item_id = question_readings.item_id
where int_external_answers_checked.outcome <> 'not_run'

union all

-- Who said a quotation of a call, by the first retrieved turn that holds it.
select
    system_id,
    benchmark || ':' || question_id as item_id,
    benchmark as gold_set,
    case when speaker is null then 'abstained' else 'answered' end as outcome,
    cast(null as varchar) as failure,
    speaker as answer_text,
    cast(null as varchar) as answer_form,
    cast(null as double) as numeric_value,
    cast(null as varchar) as unit,
    cast(null as double) as support,
    answer,
    cast(null as varchar) as scale,
    cast(null as varchar) as program,
    speaker,
    role,
    cast(null as varchar) as label,
    cast(null as varchar) as label_by,
    cast(null as boolean) as is_contained,
    cast(null as varchar) as configuration,
    case when speaker is null then 0 else 1 end as n_answers,
    false as is_citing,
    cast(null as varchar) as source_file,
    cast(null as bigint) as source_line,
    cast(null as double) as latency_ms
from py_calls_attributed
