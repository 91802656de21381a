{#- TAT-QA writes formulas by hand: they are kept, and no program. -#}
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
where {{ regex_is('program', 'program_step') }}
