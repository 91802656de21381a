with

p3_review_outcomes as (

    select * from {{ ref('p3_review_outcomes') }}

),

p3_contents as (

    select * from {{ ref('p3_contents') }}

)

select
    p3_review_outcomes.review_pos,
    p3_review_outcomes.question_id,
    p3_contents.question_text,
    p3_review_outcomes.verdict,
    p3_review_outcomes.field,
    p3_review_outcomes.corrected_value,
    p3_review_outcomes.reviewer,
    p3_review_outcomes.reviewed_on,
    p3_review_outcomes.reason,
    p3_review_outcomes.outcome,
    p3_review_outcomes.is_stale
from p3_review_outcomes
left join p3_contents
    on p3_review_outcomes.question_id = p3_contents.question_id
