{#-
    What counts as relevant, by mode. `finrag` has evidence and the passages that stand for it,
    as far as they were loaded. `official` has the lines of a set's qrels as they stand: each
    document for itself, loaded or not, with its own grade, and none of a question that a file
    of qrels does not name.
-#}
{{ config(materialized = 'view') }}

with

judgments as (

    select * from {{ ref('judgments') }}

),

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
    'finrag' as mode,
    gold_set,
    item_id,
    unit,
    evidence_kind,
    evidence_id,
    passage_id,
    grade
from judgments
where mapping = 'mapped'

union all

select
    'official' as mode,
    items.gold_set,
    items.item_id,
    stg_benchmarks__judgments.space as unit,
    'text' as evidence_kind,
    {{ set_key(
        'stg_benchmarks__judgments.benchmark', 'stg_benchmarks__judgments.passage_id'
    ) }} as evidence_id,
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
