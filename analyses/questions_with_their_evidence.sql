-- Is the gold right? Every question beside its answer, its evidence and its flags, the
-- least certain first.
-- Read the evidence without the answer and answer the question yourself; where the two
-- differ, record a review in seeds/gold. reasons is empty where nothing is flagged.
with

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

question_flags as (

    select * from {{ ref('question_flags') }}

),

evidence as (

    select
        judgments.item_id,
        string_agg(
            judgments.passage_id || ': ' || sentences.sentence_text,
            ' || ' order by judgments.passage_id
        ) as evidence
    from judgments
    inner join sentences
        on judgments.passage_id = sentences.sentence_id
    where
        judgments.gold_set = 'p3'
        and judgments.passage_id = judgments.evidence_id
    group by judgments.item_id

),

flags as (

    select
        question_id,
        string_agg(reason, ', ' order by reason) as reasons
    from question_flags
    group by question_id

)

select
    gold_p3.question_id,
    gold_p3.category,
    gold_p3.question_text,
    gold_p3.answer_text,
    gold_p3.answer_numeric,
    gold_p3.answer_unit,
    gold_p3.curation_confidence,
    evidence.evidence,
    flags.reasons
from gold_p3
left join evidence
    on 'p3:' || gold_p3.question_id = evidence.item_id
left join flags
    on gold_p3.question_id = flags.question_id
order by gold_p3.curation_confidence, gold_p3.question_id
