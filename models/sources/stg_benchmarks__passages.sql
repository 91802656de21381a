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

-- A passage may come again with other words or another place: the first version counts.
placed as (

    select
        *,
        row_number() over (
            partition by benchmark, passage_id
            order by source_file, source_line, text
        ) as place,
        count(*) over (partition by benchmark, passage_id) as n_versions
    from loaded

)

select
    placed.benchmark,
    placed.passage_id,
    placed.document_id,
    placed.document_key,
    placed.document_words,
    placed.space,
    placed.position,
    placed.text as passage_text,
    placed.parent_id,
    placed.table as table_pos,
    placed.row as row_pos,
    placed.column as column_pos,
    placed.page,
    placed.title,
    placed.company as company_name,
    placed.speaker,
    placed.role,
    placed.n_versions,
    placed.source_file,
    placed.source_line
from placed
where placed.place = 1
