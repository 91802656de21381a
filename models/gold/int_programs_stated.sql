{#- What TAT-QA gives is a formula in words of its own, and no program. -#}
with

items as (

    select * from {{ ref('items') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

)

select
    items.gold_set as benchmark,
    items.question_id,
    items.document_id,
    item_answers.program,
    item_answers.executed_answer,
    item_answers.answers,
    item_answers.scale
from items
inner join item_answers
    on items.item_id = item_answers.item_id
where
    item_answers.executed_answer is not null
    or {{ regex_is('item_answers.program', 'program_step') }}
