{#- What TAT-QA gives is a formula in words of its own, and no program. -#}
with

benchmark_gold as (

    select * from {{ ref('benchmark_gold') }}

)

select
    benchmark,
    question_id,
    document_id,
    program,
    executed_answer,
    answers,
    scale
from benchmark_gold
where
    executed_answer is not null
    or {{ regex_is('program', 'program_step') }}
