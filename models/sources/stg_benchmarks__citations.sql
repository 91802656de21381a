with

py_benchmark_records_read as (

    select * from {{ ref('py_benchmark_records_read') }}

),

predictions as (

    select
        benchmark,
        source_file,
        source_line,
        {{ unnest_structs('predictions') }}
    from py_benchmark_records_read
    where record_status = 'read'

),

loaded as (

    select
        benchmark,
        system,
        question_id,
        source_file,
        source_line,
        {{ unnest_structs('citations') }}
    from predictions

)

select
    benchmark,
    system as system_id,
    question_id,
    passage_id,
    document,
    document_key,
    page,
    source_file,
    source_line
from loaded
