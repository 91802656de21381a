with

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

question_outcomes as (

    select * from {{ ref('question_outcomes') }}

),

question_flags as (

    select * from {{ ref('question_flags') }}

),

p3_category_mix as (

    select * from {{ ref('p3_category_mix') }}

),

rpt_questions_outcomes as (

    select * from {{ ref('rpt_questions_outcomes') }}

),

doubts as (

    select
        question_id,
        bool_or(is_excluding) as is_excluded,
        {{ joined_list(ordered_list('reason', 'reason'), ', ') }} as reasons
    from question_flags
    group by question_id

),

results as (

    select
        page_id,
        {{ joined_list(ordered_list(
            "system_id || ': ' || result", 'system_id'
        ), '; ') }} as results
    from rpt_questions_outcomes
    where not is_null
    group by page_id

),

asked as (

    select
        items.*,
        {{ question_page_id('items.gold_set', 'items.item_id') }} as page_id
    from items

)

select
    asked.page_id,
    asked.gold_set,
    asked.item_id,
    asked.question_text,
    {{ joined_list('gold_p3.company_name', ', ') }} as company_name,
    {{ joined_list('gold_p3.years', ', ') }} as years,
    gold_p3.category,
    gold_p3.category || coalesce(': ' || p3_category_mix.title, '') as category_title,
    gold_p3.retrieval_scope as scope,
    gold_p3.difficulty,
    gold_p3.answer_type,
    coalesce({{ item_of('gold_p3.section_hints', 1) }}, 'none') as section_name,
    asked.variant_of is not null as is_variant,
    question_outcomes.n_systems,
    question_outcomes.n_right,
    question_outcomes.right_share,
    cast(question_outcomes.hardness_rank as integer) as hardness_rank,
    results.results,
    coalesce(doubts.is_excluded, false) as is_excluded,
    nullif(concat_ws(
        ', ',
        doubts.reasons,
        nullif({{ joined_list('question_outcomes.flags', ', ') }}, '')
    ), '') as flags
from asked
inner join gold_p3
    on asked.question_id = gold_p3.question_id
left join question_outcomes
    on
        asked.gold_set = question_outcomes.gold_set
        and asked.item_id = question_outcomes.item_id
left join p3_category_mix
    on gold_p3.category = p3_category_mix.category
left join doubts
    on asked.question_id = doubts.question_id
left join results
    on asked.page_id = results.page_id
order by asked.gold_set, asked.item_id
