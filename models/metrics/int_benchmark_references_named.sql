{#- Evidence as a citation can meet it: a page by its number, else the passage. -#}
with

benchmark_judgments as (

    select * from {{ ref('benchmark_judgments') }}

),

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

benchmark_gold as (

    select * from {{ ref('benchmark_gold') }}

),

referred as (

    select
        benchmark_judgments.benchmark,
        benchmark_gold.question_id,
        case
            when benchmark_judgments.space != 'page'
                then coalesce(
                    benchmark_judgments.found_by_passage_id,
                    benchmark_judgments.named_passage_id
                )
        end as passage_id,
        case
            when benchmark_judgments.space = 'page'
                then coalesce(
                    benchmark_passages.document_id, benchmark_judgments.document_id
                )
        end as document_id,
        case
            when
                benchmark_judgments.space = 'page'
                and benchmark_passages.document_id is null
                and benchmark_judgments.document_id is null
                then benchmark_judgments.document
        end as document,
        case
            when benchmark_judgments.space = 'page'
                then coalesce(benchmark_passages.page, benchmark_judgments.page)
        end as page
    from benchmark_judgments
    inner join benchmark_gold
        on benchmark_judgments.item_id = benchmark_gold.item_id
    left join benchmark_passages
        on
            benchmark_judgments.benchmark = benchmark_passages.benchmark
            and benchmark_judgments.passage_id = benchmark_passages.passage_id
    where benchmark_judgments.grade > 0

)

select
    benchmark,
    question_id,
    passage_id,
    document_id,
    document,
    page
from referred
where coalesce(passage_id, document_id, document) is not null
group by
    benchmark,
    question_id,
    passage_id,
    document_id,
    document,
    page
