{#-
    What files of qrels say as they stand: each document for itself, loaded or not, with its own
    grade, and none of a question that no file names.
-#}
{{ config(materialized = 'view') }}

with

stg_benchmarks__judgments as (

    select * from {{ ref('stg_benchmarks__judgments') }}

),

benchmark_sources as (

    select * from {{ ref('benchmark_sources') }}

),

items as (

    select * from {{ ref('items') }}

),

qrels_files as (

    select unnest(file_names) as source_file
    from benchmark_sources
    where holds = 'judgments'

)

select
    items.item_id,
    stg_benchmarks__judgments.space as unit,
    {{ set_key(
        'stg_benchmarks__judgments.benchmark', 'stg_benchmarks__judgments.passage_id'
    ) }} as passage_id,
    stg_benchmarks__judgments.grade
from stg_benchmarks__judgments
inner join qrels_files
    on stg_benchmarks__judgments.source_file = qrels_files.source_file
inner join items
    on
        stg_benchmarks__judgments.benchmark || ':'
        || stg_benchmarks__judgments.question_id = items.item_id
