with

py_benchmark_records_read as (

    select * from {{ ref('py_benchmark_records_read') }}

),

loaded as (

    select
        benchmark,
        source_file,
        source_line,
        {{ unnest_structs('passages') }}
    from py_benchmark_records_read
    where record_status = 'read'

),

-- Questions of one context each bring it along: the first time counts.
placed as (

    select
        *,
        row_number() over (
            partition by benchmark, passage_id
            order by source_file, source_line
        ) as place,
        count(*) over (partition by benchmark, passage_id) as n_times
    from loaded

)

select
    benchmark,
    passage_id,
    document_id,
    space,
    position,
    text as passage_text,
    parent_id,
    "table" as table_pos,
    "row" as row_pos,
    "column" as column_pos,
    page,
    title,
    speaker,
    role,
    n_times,
    source_file,
    source_line
from placed
where place = 1
