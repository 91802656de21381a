{#-
    Citations as evidence can meet them: a page by its number, a cell by its row. A document
    that was not loaded is known by its name.
-#}
with

benchmark_citations as (

    select * from {{ ref('benchmark_citations') }}

),

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

-- A passage that the set does not have is none of its pages.
placed as (

    select
        benchmark_citations.*,
        case
            when benchmark_passages.space = 'page' then null
            when benchmark_passages.is_rankable then benchmark_passages.passage_id
            when benchmark_passages.parent_id is not null
                then benchmark_passages.parent_id
            when benchmark_citations.document is null then benchmark_citations.named
        end as found_passage_id
    from benchmark_citations
    left join benchmark_passages
        on
            benchmark_citations.benchmark = benchmark_passages.benchmark
            and benchmark_citations.passage_id = benchmark_passages.passage_id

),

referred as (

    select
        benchmark,
        system_id,
        question_id,
        found_passage_id as passage_id,
        case when found_passage_id is null then document_id end as document_id,
        case
            when found_passage_id is null and document_id is null then document
        end as document,
        case when found_passage_id is null then page end as page
    from placed

)

select
    benchmark,
    system_id,
    question_id,
    passage_id,
    document_id,
    document,
    page
from referred
group by
    benchmark,
    system_id,
    question_id,
    passage_id,
    document_id,
    document,
    page
