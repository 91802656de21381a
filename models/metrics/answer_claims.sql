with

py_answers_traced as (

    select * from {{ ref('py_answers_traced') }}

)

select
    system_id,
    gold_set,
    item_id,
    claim_pos,
    parent_pos,
    claim_kind,
    claim_text,
    char_start,
    char_end,
    support,
    passage_id,
    reason,
    is_verbatim
from py_answers_traced
