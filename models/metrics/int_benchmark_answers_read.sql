{#- Rows without an answer too: who says nothing is not right. -#}
with

benchmark_answers as (

    select * from {{ ref('benchmark_answers') }}

),

benchmark_gold as (

    select * from {{ ref('benchmark_gold') }}

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
    coalesce(benchmark_gold.answer_type = 'attribution', false) as is_attribution
from benchmark_answers
inner join benchmark_gold
    on benchmark_answers.item_id = benchmark_gold.item_id
