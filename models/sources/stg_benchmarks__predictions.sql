{#-
    Answers and what was said of them may lie in two files: rows of one system and question
    are joined later. A model that is asked in two ways is two systems. A file that names no
    system is one: its name says which.
-#}
with

py_benchmark_records_read as (

    select * from {{ ref('py_benchmark_records_read') }}

),

loaded as (

    select
        benchmark,
        source_file,
        source_line,
        {{ unnest_structs('predictions') }}
    from py_benchmark_records_read
    where record_status = 'read'

)

select
    benchmark,
    system as system_id,
    question_id,
    answer,
    scale,
    program,
    label,
    label_by,
    configuration,
    speaker,
    role,
    contains as is_contained,
    citations is not null as is_citing,
    source_file,
    source_line
from loaded
