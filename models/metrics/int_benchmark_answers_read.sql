{#- Rows without an answer too: who says nothing is not right. -#}
with

benchmark_answers as (

    select * from {{ ref('benchmark_answers') }}

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where gold_set <> 'p3'

)

select
    benchmark_answers.benchmark,
    benchmark_answers.system_id,
    benchmark_answers.question_id,
    benchmark_answers.configuration,
    benchmark_answers.answer,
    benchmark_answers.scale,
    benchmark_answers.program,
    benchmark_answers.label,
    benchmark_answers.label_by,
    benchmark_answers.speaker,
    benchmark_answers.role,
    benchmark_answers.is_contained as contains,
    coalesce(item_answers.answer_type = 'attribution', false) as is_attribution
from benchmark_answers
inner join item_answers
    on benchmark_answers.item_id = item_answers.item_id
