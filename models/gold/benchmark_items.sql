{#-
    All that a system under test may know; the context because sets such as FinQA ask of one,
    and open search leaves it aside. Its name leads to the document that was loaded, if one
    was: a set may write it without the ending.
-#}
with

stg_benchmarks__questions as (

    select * from {{ ref('stg_benchmarks__questions') }}

),

py_benchmark_contexts_resolved as (

    select * from {{ ref('py_benchmark_contexts_resolved') }}

)

select
    stg_benchmarks__questions.benchmark,
    stg_benchmarks__questions.benchmark || ':' || stg_benchmarks__questions.question_id
        as item_id,
    stg_benchmarks__questions.question_id,
    stg_benchmarks__questions.question_text,
    coalesce(
        py_benchmark_contexts_resolved.document_id,
        stg_benchmarks__questions.document_id
    ) as document_id,
    stg_benchmarks__questions.dialogue_id,
    stg_benchmarks__questions.turn
from stg_benchmarks__questions
left join py_benchmark_contexts_resolved
    on
        stg_benchmarks__questions.benchmark = py_benchmark_contexts_resolved.benchmark
        and stg_benchmarks__questions.document_id
        = py_benchmark_contexts_resolved.document
