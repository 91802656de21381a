with

py_programs_traced as (

    select * from {{ ref('py_programs_traced') }}

)

select
    benchmark as gold_set,
    benchmark || ':' || question_id as item_id,
    step_pos,
    operand_pos,
    op,
    written,
    value,
    origin,
    passage_ids,
    step_result
from py_programs_traced
