{#- What the answer that counts rests on; other answers of the system cite in vain. -#}
with

benchmark_answers as (

    select * from {{ ref('benchmark_answers') }}

),

stg_benchmarks__citations as (

    select * from {{ ref('stg_benchmarks__citations') }}

),

passages as (

    select * from {{ ref('passages') }}

),

named_places as (

    select * from {{ ref('named_places') }}

)

select
    benchmark_answers.benchmark,
    benchmark_answers.system_id,
    benchmark_answers.item_id,
    benchmark_answers.question_id,
    cast(
        row_number() over (
            partition by benchmark_answers.system_id, benchmark_answers.item_id
            order by
                stg_benchmarks__citations.document,
                stg_benchmarks__citations.page,
                stg_benchmarks__citations.passage_id
        ) as integer
    ) as citation_pos,
    coalesce(passages.passage_id, named_places.passage_id)
        as passage_id,
    stg_benchmarks__citations.document,
    coalesce(passages.document_id, named_places.document_id)
        as document_id,
    coalesce(passages.page, stg_benchmarks__citations.page) as page,
    coalesce(
        stg_benchmarks__citations.passage_id, stg_benchmarks__citations.document
    ) as named,
    passages.passage_id is not null
    or named_places.passage_id is not null
    or (
        stg_benchmarks__citations.page is null
        and named_places.document_id is not null
    ) as is_known
from benchmark_answers
inner join stg_benchmarks__citations
    on
        benchmark_answers.benchmark = stg_benchmarks__citations.benchmark
        and benchmark_answers.question_id = stg_benchmarks__citations.question_id
        and benchmark_answers.source_file = stg_benchmarks__citations.source_file
        and benchmark_answers.source_line = stg_benchmarks__citations.source_line
left join passages
    on
        stg_benchmarks__citations.benchmark = passages.corpus_id
        and {{ set_key(
            'stg_benchmarks__citations.benchmark',
            'stg_benchmarks__citations.passage_id'
        ) }} = passages.passage_id
left join named_places
    on
        stg_benchmarks__citations.benchmark = named_places.corpus_id
        and stg_benchmarks__citations.document = named_places.document
        and stg_benchmarks__citations.page is not distinct from named_places.page
