{#-
    Evidence is a passage, however often a set names it. It is found where the passage
    that stands for it is ranked, which is itself or, of a cell, its row, in the list
    of that passage's own kind. Only a grade above zero makes evidence, and only a
    place that exists.
-#}
with

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        evidence_kind = 'text'
        and unit <> 'sentence'

),

passages as (

    select * from {{ ref('passages') }}

),

rankings as (

    select *
    from {{ ref('rankings') }}
    where unit <> 'sentence'

),

int_benchmark_questions_owed as (

    select * from {{ ref('int_benchmark_questions_owed') }}

),

evidence as (

    select *
    from judgments
    where
        mapping = 'mapped'
        and grade > 0

)

select
    int_benchmark_questions_owed.system_id,
    evidence.gold_set as benchmark,
    evidence.item_id,
    evidence.unit as space,
    evidence.evidence_id as passage_id,
    evidence.passage_id as found_by_passage_id,
    evidence.grade,
    rankings.rank
from evidence
inner join int_benchmark_questions_owed
    on evidence.item_id = int_benchmark_questions_owed.item_id
left join passages
    on evidence.passage_id = passages.passage_id
left join rankings
    on
        int_benchmark_questions_owed.system_id = rankings.system_id
        and evidence.item_id = rankings.item_id
        and passages.unit = rankings.unit
        and evidence.passage_id = rankings.passage_id
