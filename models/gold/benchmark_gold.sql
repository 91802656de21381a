with

stg_benchmarks__questions as (

    select * from {{ ref('stg_benchmarks__questions') }}

)

select
    benchmark,
    benchmark || ':' || question_id as item_id,
    question_id,
    question_text,
    document_id,
    answers,
    is_list,
    is_answerable,
    answer_type,
    scale,
    program,
    executed_answer,
    tolerance,
    category,
    difficulty,
    dialogue_id,
    turn,
    original_fields,
    source_file,
    source_line
from stg_benchmarks__questions
