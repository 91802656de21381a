with

answer_failures as (

    select * from {{ ref('answer_failures') }}

),

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

-- A draw that stays the same from build to build, and favours no company.
drawn as (

    select
        answer_failures.*,
        int_questions_shown.page_id,
        row_number() over (
            partition by
                answer_failures.gold_set,
                answer_failures.system_id,
                answer_failures.failure
            order by
                {{ seeded_order('answer_failures.item_id', 'answer failures') }} asc,
                answer_failures.item_id asc
        ) as example_pos
    from answer_failures
    left join int_questions_shown
        on answer_failures.item_id = int_questions_shown.item_id

)

select
    gold_set,
    system_id,
    failure,
    cast(example_pos as integer) as example_pos,
    item_id,
    page_id,
    question_text,
    gold_text,
    answer_text,
    detail,
    scope,
    difficulty,
    category,
    company_name
from drawn
where example_pos <= 5
