with

question_outcomes as (

    select * from {{ ref('question_outcomes') }}

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

answer_failures as (

    select * from {{ ref('answer_failures') }}

),

p3_category_mix as (

    select * from {{ ref('p3_category_mix') }}

),

failures as (

    select
        gold_set,
        item_id,
        {{ joined_list(ordered_list(
            "system_id || ': ' || replace(failure, '_', ' ')", 'system_id'
        ), '; ') }} as failures
    from answer_failures
    group by gold_set, item_id

)

select
    question_outcomes.gold_set,
    cast(question_outcomes.hardness_rank as integer) as hardness_rank,
    question_outcomes.item_id,
    {{ question_page_id('question_outcomes.gold_set', 'question_outcomes.item_id') }}
        as page_id,
    items.question_text,
    gold_p3.answer_text as gold_text,
    {{ joined_list('gold_p3.company_name', ', ') }} as company_name,
    coalesce(p3_category_mix.title, gold_p3.category) as category,
    gold_p3.retrieval_scope as scope,
    gold_p3.difficulty,
    question_outcomes.n_systems,
    question_outcomes.n_right,
    question_outcomes.right_share,
    failures.failures,
    nullif({{ joined_list('question_outcomes.flags', ', ') }}, '') as flags
from question_outcomes
inner join items
    on
        question_outcomes.gold_set = items.gold_set
        and question_outcomes.item_id = items.item_id
inner join gold_p3
    on items.question_id = gold_p3.question_id
left join p3_category_mix
    on gold_p3.category = p3_category_mix.category
left join failures
    on
        question_outcomes.gold_set = failures.gold_set
        and question_outcomes.item_id = failures.item_id
where
    question_outcomes.hardness_rank <= 50
    -- What nobody was asked is not hard.
    and question_outcomes.n_systems > 0
