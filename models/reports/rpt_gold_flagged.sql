with

runs as (

    select * from {{ ref('runs') }}

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

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

-- That everybody is right is no reason to read a question.
flagged as (

    select
        items.item_id,
        'before' as found,
        question_flags.reason,
        question_flags.detail,
        question_flag_reasons.remedy,
        question_flags.is_excluding
    from question_flags
    inner join items
        on question_flags.question_id = items.question_id
    left join question_flag_reasons
        on question_flags.reason = question_flag_reasons.reason

    union all

    select
        item_id,
        'after' as found,
        reason,
        detail,
        remedy,
        false as is_excluding
    from question_outcome_flags
    where not is_note

)

select
    runs.run_id,
    {{ question_page_id('items.gold_set', 'items.item_id') }} as page_id,
    items.gold_set,
    items.item_id,
    items.question_id,
    flagged.found,
    flagged.reason,
    replace(replace(flagged.reason, 'schema_fault:', 'record: '), '_', ' ') as label,
    flagged.detail,
    flagged.remedy,
    flagged.is_excluding,
    items.question_text,
    gold_p3.answer_text as gold_text,
    gold_p3.category,
    gold_p3.retrieval_scope as scope,
    gold_p3.difficulty
from flagged
cross join runs
inner join items
    on flagged.item_id = items.item_id
inner join gold_p3
    on items.question_id = gold_p3.question_id
