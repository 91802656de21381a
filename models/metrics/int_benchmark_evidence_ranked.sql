{#-
    Evidence is a passage, however often a set names it. It is found where the passage
    that stands for it is ranked, which is itself or, of a cell, its row, in the list
    of that passage's own kind. Only a grade above zero makes evidence, and only a
    place that exists.
-#}
with

benchmark_judgments as (

    select * from {{ ref('benchmark_judgments') }}

),

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

benchmark_rankings as (

    select * from {{ ref('benchmark_rankings') }}

),

int_benchmark_questions_owed as (

    select * from {{ ref('int_benchmark_questions_owed') }}

),

evidence as (

    select
        benchmark,
        item_id,
        space,
        passage_id,
        max(found_by_passage_id) as found_by_passage_id,
        max(grade) as grade
    from benchmark_judgments
    where
        mapping = 'mapped'
        and grade > 0
    group by benchmark, item_id, space, passage_id

)

select
    int_benchmark_questions_owed.system_id,
    evidence.benchmark,
    evidence.item_id,
    evidence.space,
    evidence.passage_id,
    evidence.found_by_passage_id,
    evidence.grade,
    benchmark_rankings.rank
from evidence
inner join int_benchmark_questions_owed
    on evidence.item_id = int_benchmark_questions_owed.item_id
left join benchmark_passages
    on
        evidence.benchmark = benchmark_passages.benchmark
        and evidence.found_by_passage_id = benchmark_passages.passage_id
left join benchmark_rankings
    on
        int_benchmark_questions_owed.system_id = benchmark_rankings.system_id
        and evidence.item_id = benchmark_rankings.item_id
        and benchmark_passages.space = benchmark_rankings.space
        and evidence.found_by_passage_id = benchmark_rankings.passage_id
