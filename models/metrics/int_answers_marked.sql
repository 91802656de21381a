{#-
    What people said of answers: the last mark of each of them. A mark counts for the text
    that was marked, and no longer once the system answers otherwise.
-#}
with

items as (

    select * from {{ ref('items') }}

),

answers as (

    select * from {{ ref('answers') }}

),

p3_reviews as (

    select * from {{ ref('p3_reviews') }}

),

reviews as (

    select * from p3_reviews
    {{ own_reviews() }}

)

select
    answers.system_id,
    answers.gold_set,
    answers.item_id,
    coalesce(trim(reviews.reviewer), '') as reviewer,
    lower(trim(reviews.verdict)) as mark,
    reviews.reviewed_on as marked_on
from reviews
inner join items
    on trim(reviews.question_id) = items.question_id
inner join answers
    on
        items.item_id = answers.item_id
        and trim(reviews.system_id) = answers.system_id
where
    lower(trim(reviews.verdict)) in (
        'right', 'wrong', 'perfect', 'minor extrapolation', 'hallucination'
    )
    and coalesce(
        trim(reviews.content_hash) = md5(coalesce(answers.answer_text, '')), true
    )
-- That an answer is right and that its sources bear it out are two opinions.
qualify
    row_number() over (
        partition by
            answers.system_id,
            answers.item_id,
            coalesce(trim(reviews.reviewer), ''),
            lower(trim(reviews.verdict)) in ('right', 'wrong')
        order by
            reviews.reviewed_on desc,
            lower(trim(reviews.verdict)) asc,
            reviews.reason asc
    ) = 1
