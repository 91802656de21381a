with

benchmark_items as (

    select * from {{ ref('benchmark_items') }}

),

stg_benchmarks__questions as (

    select * from {{ ref('stg_benchmarks__questions') }}

)

select
    benchmark_items.benchmark,
    benchmark_items.item_id,
    benchmark_items.question_id,
    benchmark_items.question_text,
    benchmark_items.document_id,
    stg_benchmarks__questions.answers,
    stg_benchmarks__questions.is_list,
    stg_benchmarks__questions.is_answerable,
    stg_benchmarks__questions.answer_type,
    stg_benchmarks__questions.scale,
    stg_benchmarks__questions.program,
    stg_benchmarks__questions.executed_answer,
    stg_benchmarks__questions.tolerance,
    stg_benchmarks__questions.category,
    stg_benchmarks__questions.difficulty,
    stg_benchmarks__questions.asks,
    benchmark_items.dialogue_id,
    benchmark_items.turn,
    stg_benchmarks__questions.original_fields,
    stg_benchmarks__questions.source_file,
    stg_benchmarks__questions.source_line
from benchmark_items
inner join stg_benchmarks__questions
    on
        benchmark_items.benchmark = stg_benchmarks__questions.benchmark
        and benchmark_items.question_id = stg_benchmarks__questions.question_id
