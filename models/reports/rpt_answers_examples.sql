with

answer_failures as (

    select * from {{ ref('answer_failures') }}

),

-- A draw that stays the same from build to build, and favours no company.
drawn as (

    select
        *,
        row_number() over (
            partition by gold_set, system_id, failure
            order by
                {{ seeded_order('item_id', 'answer failures') }} asc,
                item_id asc
        ) as example_pos
    from answer_failures

)

select
    gold_set,
    system_id,
    failure,
    cast(example_pos as integer) as example_pos,
    item_id,
    {{ question_page_id('gold_set', 'item_id') }} as page_id,
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
