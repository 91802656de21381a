{#- Rows without an answer too: who says nothing is not right. -#}
with

answers as (

    select *
    from {{ ref('answers') }}
    where
        {{ gold_set_is('public', 'gold_set') }}
        and outcome <> 'not_run'

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where {{ gold_set_is('public', 'gold_set') }}

)

select
    answers.gold_set as benchmark,
    answers.system_id,
    item_answers.question_id,
    answers.configuration,
    answers.answer,
    answers.scale,
    answers.program,
    answers.label,
    answers.label_by,
    answers.speaker,
    answers.role,
    answers.is_contained as contains,
    coalesce(item_answers.answer_type = 'attribution', false) as is_attribution
from answers
inner join item_answers
    on answers.item_id = item_answers.item_id
