{#- Of a question of the filings only its checks are read. -#}
with

items as (

    select * from {{ ref('items') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

)

select
    item_answers.*,
    item_answers.gold_set as benchmark,
    {{ gold_set_is('filings', 'item_answers.gold_set') }} as is_of_filings,
    items.question_text,
    items.document_id,
    items.dialogue_id,
    items.turn
from items
inner join item_answers
    on items.item_id = item_answers.item_id
