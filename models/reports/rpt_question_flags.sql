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

question_outcome_flags as (

    select * from {{ ref('question_outcome_flags') }}

),

question_outcome_reasons as (

    select * from {{ ref('question_outcome_reasons') }}

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
        question_outcome_flags.reason,
        question_outcome_flags.detail,
        question_outcome_reasons.description,
        question_outcome_flags.remedy,
        false as is_excluding,
        question_outcome_flags.is_note
    from int_questions_shown
    inner join question_outcome_flags
        on int_questions_shown.item_id = question_outcome_flags.item_id
    left join question_outcome_reasons
        on question_outcome_flags.reason = question_outcome_reasons.reason

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
