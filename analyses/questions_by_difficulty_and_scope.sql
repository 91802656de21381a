-- How is the P3 suite composed, and which part of it is flagged?
-- Read n_questions before any score of the same slice: a slice of ten says nothing.
-- n_excluded are left out of the slices named sound; mean_confidence is the curator's.
with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

question_flags as (

    select * from {{ ref('question_flags') }}

),

flagged as (

    select
        question_id,
        bool_or(is_excluding) as is_excluded
    from question_flags
    group by question_id

)

select
    gold_p3.category,
    gold_p3.difficulty,
    gold_p3.retrieval_scope,
    gold_p3.answer_type,
    count(*) as n_questions,
    count(distinct gold_p3.cik_int[1]) as n_companies,
    count(*) filter (where flagged.is_excluded) as n_excluded,
    round(avg(gold_p3.curation_confidence), 3) as mean_confidence
from gold_p3
left join flagged
    on gold_p3.question_id = flagged.question_id
group by
    gold_p3.category,
    gold_p3.difficulty,
    gold_p3.retrieval_scope,
    gold_p3.answer_type
order by gold_p3.category, gold_p3.difficulty, gold_p3.answer_type
