with

int_answers_hashed as (

    select * from {{ ref('int_answers_hashed') }}

)

select
    md5(answers_hash || '|' || system_id || '|' || item_id) as recorded_answer_id,
    answers_hash,
    system_id,
    gold_set,
    item_id,
    outcome,
    is_right
from int_answers_hashed
-- The same answers again are kept once: only the run is new.
where {{ not_yet_in_history('answers_hash', 'int_answers_hashed.answers_hash') }}
