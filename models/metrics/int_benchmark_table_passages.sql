{#- Programs may sum a row of a table of a context that somebody answered about. -#}
with

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

benchmark_gold as (

    select * from {{ ref('benchmark_gold') }}

),

benchmark_answers as (

    select * from {{ ref('benchmark_answers') }}

),

documents as (

    select
        benchmark_gold.benchmark,
        benchmark_gold.document_id
    from benchmark_gold
    inner join benchmark_answers
        on benchmark_gold.item_id = benchmark_answers.item_id
    where benchmark_gold.program is not null
    group by benchmark_gold.benchmark, benchmark_gold.document_id

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
where benchmark_passages.space in ('row', 'cell')
