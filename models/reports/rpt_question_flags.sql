with

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

question_flags as (

    select * from {{ ref('question_flags') }}

),

question_flag_reasons as (

    select * from {{ ref('question_flag_reasons') }}

),

answer_diagnosis_flags as (

    select * from {{ ref('answer_diagnosis_flags') }}

),

answer_diagnosis_reasons as (

    select * from {{ ref('answer_diagnosis_reasons') }}

),

flagged as (

    select
        int_questions_shown.page_id,
        'before' as found,
        question_flags.reason,
        question_flags.detail,
        question_flag_reasons.description,
        question_flag_reasons.remedy,
        question_flags.is_excluding,
        false as is_note
    from int_questions_shown
    inner join question_flags
        on
            {{ gold_set_is('filings', 'int_questions_shown.gold_set') }}
            and int_questions_shown.question_id = question_flags.question_id
    left join question_flag_reasons
        on question_flags.reason = question_flag_reasons.reason

    union all

    select
        int_questions_shown.page_id,
        'after' as found,
        answer_diagnosis_flags.reason,
        answer_diagnosis_flags.detail,
        answer_diagnosis_reasons.description,
        answer_diagnosis_flags.remedy,
        answer_diagnosis_flags.is_excluding,
        answer_diagnosis_flags.is_note
    from int_questions_shown
    inner join answer_diagnosis_flags
        on int_questions_shown.item_id = answer_diagnosis_flags.item_id
    left join answer_diagnosis_reasons
        on answer_diagnosis_flags.reason = answer_diagnosis_reasons.reason

)

select
    page_id,
    found,
    reason,
    replace(replace(reason, 'schema_fault:', 'record: '), '_', ' ') as label,
    detail,
    description,
    remedy,
    is_excluding,
    is_note
from flagged
