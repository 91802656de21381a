with

py_benchmark_programs_traced as (

    select * from {{ ref('py_benchmark_programs_traced') }}

)

select
    benchmark,
    benchmark || ':' || question_id as item_id,
    step_pos,
    operand_pos,
    op,
    written,
    value,
    origin,
    passage_ids,
    step_result
from py_benchmark_programs_traced
