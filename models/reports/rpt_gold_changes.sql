with

p3_changes as (

    select * from {{ ref('p3_changes') }}

),

questions as (

    select * from {{ ref('questions') }}

)

-- A question that was removed has no page.
select
    case
        when questions.item_id is not null
            then {{ question_page_id('questions.gold_set', 'questions.item_id') }}
    end as page_id,
    p3_changes.question_id,
    p3_changes.change,
    p3_changes.review,
    coalesce(p3_changes.question_text, p3_changes.frozen_question_text)
        as question_text,
    p3_changes.frozen_answer_text,
    p3_changes.answer_text,
    p3_changes.frozen_evidence_sentence_ids,
    p3_changes.evidence_sentence_ids
from p3_changes
left join questions
    on p3_changes.question_id = questions.question_id
