with

py_questions_answered as (

    select * from {{ ref('py_questions_answered') }}

)

-- Grouped by all that a kind has one of, so that a second value breaks the key.
select
    system_id,
    question_kind,
    threshold,
    n_null,
    null_share_answered,
    count(*) as n_questions,
    count(*) filter (where outcome = 'answered') as n_answered
from py_questions_answered
where threshold is not null
group by system_id, question_kind, threshold, n_null, null_share_answered
