{#-
    What a set names as evidence, led to the passage it means. A page that a judgment names by
    document and number is the page of that number; how near another page counts is a matter of
    the metric.
-#}
with

stg_benchmarks__judgments as (

    select * from {{ ref('stg_benchmarks__judgments') }}

),

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

benchmark_gold as (

    select * from {{ ref('benchmark_gold') }}

),

py_benchmark_documents_resolved as (

    select * from {{ ref('py_benchmark_documents_resolved') }}

),

pages as (

    select
        benchmark,
        document_id,
        page,
        min(passage_id) as passage_id
    from benchmark_passages
    where space = 'page'
    group by benchmark, document_id, page

),

documents as (

    select
        benchmark,
        document_id,
        count(*) as n_passages
    from benchmark_passages
    group by benchmark, document_id

),

named as (

    select
        stg_benchmarks__judgments.*,
        coalesce(stg_benchmarks__judgments.passage_id, pages.passage_id)
            as named_passage_id,
        py_benchmark_documents_resolved.document_id,
        py_benchmark_documents_resolved.n_documents,
        documents.n_passages
    from stg_benchmarks__judgments
    left join py_benchmark_documents_resolved
        on
            stg_benchmarks__judgments.benchmark
            = py_benchmark_documents_resolved.benchmark
            and stg_benchmarks__judgments.document
            = py_benchmark_documents_resolved.document
    left join pages
        on
            stg_benchmarks__judgments.benchmark = pages.benchmark
            and py_benchmark_documents_resolved.document_id = pages.document_id
            and stg_benchmarks__judgments.page = pages.page
    left join documents
        on
            stg_benchmarks__judgments.benchmark = documents.benchmark
            and py_benchmark_documents_resolved.document_id = documents.document_id

)

select
    named.benchmark,
    named.benchmark || ':' || named.question_id as item_id,
    named.reference,
    named.space,
    named.document,
    named.page,
    named.document_id,
    named.grade,
    named.named_passage_id,
    case
        when benchmark_gold.item_id is not null then benchmark_passages.passage_id
    end as passage_id,
    case
        when benchmark_gold.item_id is null then null
        when benchmark_passages.is_rankable then benchmark_passages.passage_id
        else benchmark_passages.parent_id
    end as found_by_passage_id,
    case
        when benchmark_gold.item_id is null then 'no such question'
        when benchmark_passages.passage_id is not null then 'mapped'
        when
            named.document is null
            and named.named_passage_id is not null
            then 'the passage was not loaded'
        when named.document is null then 'the set names no place'
        when named.n_documents > 1 then 'the name of the document is not clear'
        when named.n_passages is null then 'the document was not loaded'
        when named.page is null then 'the set names no page'
        else 'the document has no such page'
    end as mapping
from named
left join benchmark_passages
    on
        named.benchmark = benchmark_passages.benchmark
        and named.named_passage_id = benchmark_passages.passage_id
left join benchmark_gold
    on
        named.benchmark = benchmark_gold.benchmark
        and named.question_id = benchmark_gold.question_id
