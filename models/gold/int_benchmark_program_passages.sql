with

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

int_benchmark_programs as (

    select * from {{ ref('int_benchmark_programs') }}

),

documents as (

    select
        benchmark,
        document_id
    from int_benchmark_programs
    group by benchmark, document_id

)

select
    benchmark_passages.benchmark,
    benchmark_passages.passage_id,
    benchmark_passages.document_id,
    benchmark_passages.space,
    benchmark_passages.position,
    benchmark_passages.passage_text as text,
    benchmark_passages.parent_id,
    benchmark_passages.table_pos,
    benchmark_passages.row_pos,
    benchmark_passages.column_pos
from benchmark_passages
inner join documents
    on
        benchmark_passages.benchmark = documents.benchmark
        and benchmark_passages.document_id = documents.document_id
