with

benchmark_answers as (

    select * from {{ ref('benchmark_answers') }}

)

select
    benchmark,
    system_id,
    question_id,
    configuration,
    answer,
    scale,
    program,
    label,
    label_by,
    speaker,
    role,
    is_contained as contains
from benchmark_answers
where
    is_asked
    and (answer is not null or label is not null or is_contained is not null)
