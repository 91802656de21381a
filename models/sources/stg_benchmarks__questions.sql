with

py_benchmark_records_read as (

    select * from {{ ref('py_benchmark_records_read') }}

),

loaded as (

    select
        benchmark,
        source_file,
        source_line,
        original,
        {{ unnest_structs('questions') }}
    from py_benchmark_records_read
    where record_status = 'read'

)

select
    benchmark,
    question_id,
    question_text,
    document_id,
    document_key,
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
    asks,
    dialogue_id,
    turn,
    original as original_fields,
    source_file,
    source_line
from loaded
