with

int_p3_unioned as (

    select * from {{ ref('int_p3_unioned') }}

),

p3_review_outcomes as (

    select * from {{ ref('p3_review_outcomes') }}

),

verdicts as (

    select
        question_id,
        case
            when bool_or(verdict = 'reject') then 'rejected'
            when bool_or(verdict = 'correct') then 'corrected'
            else 'accepted'
        end as review
    from p3_review_outcomes
    where outcome = 'applied'
    group by question_id

)

select
    int_p3_unioned.question_id,
    int_p3_unioned.origin,
    int_p3_unioned.category,
    int_p3_unioned.question_text,
    int_p3_unioned.answer_text,
    {{ p3_content_hash('int_p3_unioned.') }} as content_hash,
    coalesce(verdicts.review, 'not_reviewed') as review
from int_p3_unioned
left join verdicts
    on int_p3_unioned.question_id = verdicts.question_id
