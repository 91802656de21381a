with

p3_changes as (

    select * from {{ ref('p3_changes') }}

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

)

-- A question that was removed has no page.
select
    case
        when items.item_id is not null
            then {{ question_page_id('items.gold_set', 'items.item_id') }}
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
left join items
    on p3_changes.question_id = items.question_id
