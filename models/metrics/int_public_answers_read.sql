{#-
    Rows without an answer too: who says nothing is not right. A null answers with the gold
    answer of another question, as that set writes it.
-#}
with

answers as (

    select *
    from {{ ref('answers') }}
    where
        {{ gold_set_is('public', 'gold_set') }}
        and outcome <> 'not_run'

),

int_null_answers as (

    select * from {{ ref('int_null_answers') }}

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where {{ gold_set_is('public', 'gold_set') }}

),

collected as (

    select
        system_id,
        item_id,
        configuration,
        answer,
        scale,
        program,
        label,
        label_by,
        speaker,
        role,
        is_contained
    from answers

    union all

    select
        'null_' || int_null_answers.null_kind as system_id,
        int_null_answers.item_id,
        cast(null as varchar) as configuration,
        cast(
            case
                when item_answers.is_list then to_json(item_answers.answers)
                else to_json(item_answers.answers[1])
            end
            as varchar
        ) as answer,
        cast(null as varchar) as scale,
        cast(null as varchar) as program,
        cast(null as varchar) as label,
        cast(null as varchar) as label_by,
        cast(null as varchar) as speaker,
        cast(null as varchar) as role,
        cast(null as boolean) as is_contained
    from int_null_answers
    inner join item_answers
        on int_null_answers.from_item_id = item_answers.item_id

)

select
    item_answers.gold_set as benchmark,
    collected.system_id,
    item_answers.question_id,
    collected.configuration,
    collected.answer,
    collected.scale,
    collected.program,
    collected.label,
    collected.label_by,
    collected.speaker,
    collected.role,
    collected.is_contained as contains,
    coalesce(item_answers.answer_type = 'speaker', false) as asks_speaker
from collected
inner join item_answers
    on collected.item_id = item_answers.item_id
