{{ config(materialized = 'view') }}

with

int_answers_to_trace as (

    select * from {{ ref('int_answers_to_trace') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

cited as (

    select
        system_id,
        item_id,
        {{ unnest_list_with_place('citations', 'citation') }}
    from int_answers_to_trace

),

texts as (

    select
        system_id,
        item_id,
        {{ ordered_list(field_of('citation', 'sentence_text'), 'place') }}
            as cited_texts
    from cited
    where {{ field_of('citation', 'sentence_text') }} is not null
    group by system_id, item_id

)

select
    int_answers_to_trace.system_id,
    int_answers_to_trace.gold_set,
    int_answers_to_trace.item_id,
    int_answers_to_trace.question_text,
    int_answers_to_trace.answer_text,
    gold_p3.answer_text as gold_text,
    texts.cited_texts
from int_answers_to_trace
left join items
    on int_answers_to_trace.item_id = items.item_id
left join gold_p3
    on items.question_id = gold_p3.question_id
left join texts
    on
        int_answers_to_trace.system_id = texts.system_id
        and int_answers_to_trace.item_id = texts.item_id
