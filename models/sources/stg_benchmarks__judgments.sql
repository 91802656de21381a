with

py_benchmark_records_read as (

    select * from {{ ref('py_benchmark_records_read') }}

),

loaded as (

    select
        benchmark,
        source_file,
        source_line,
        {{ unnest_structs('judgments') }}
    from py_benchmark_records_read
    where record_status = 'read'

),

placed as (

    select
        *,
        row_number() over (
            partition by benchmark, question_id, space, reference, passage_id, page
            order by source_file asc, source_line asc, grade desc
        ) as place
    from loaded

)

select
    benchmark,
    question_id,
    reference,
    space,
    passage_id,
    document,
    document_key,
    document_words,
    page,
    grade,
    source_file,
    source_line
from placed
where place = 1
