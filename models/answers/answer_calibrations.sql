with

py_questions_answered as (

    select * from {{ ref('py_questions_answered') }}

),

items as (

    select * from {{ ref('items') }}

)

-- Grouped by all that a kind has one of, so that a second value breaks the key.
select
    py_questions_answered.system_id,
    items.gold_set,
    py_questions_answered.question_kind,
    py_questions_answered.threshold,
    py_questions_answered.n_null,
    py_questions_answered.null_share_answered,
    count(*) as n_questions,
    count(*) filter (where py_questions_answered.outcome = 'answered') as n_answered
from py_questions_answered
inner join items
    on py_questions_answered.item_id = items.item_id
where py_questions_answered.threshold is not null
group by
    py_questions_answered.system_id,
    items.gold_set,
    py_questions_answered.question_kind,
    py_questions_answered.threshold,
    py_questions_answered.n_null,
    py_questions_answered.null_share_answered
