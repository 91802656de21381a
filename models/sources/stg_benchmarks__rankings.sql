{#- Without a place the system looked and found nothing. -#}
with

py_benchmark_records_read as (

    select * from {{ ref('py_benchmark_records_read') }}

),

loaded as (

    select
        benchmark,
        source_file,
        source_line,
        {{ unnest_structs('rankings') }}
    from py_benchmark_records_read
    where record_status = 'read'

)

select
    benchmark,
    system as system_id,
    question_id,
    position,
    score,
    passage_id,
    document,
    document_key,
    page,
    source_file,
    source_line
from loaded
