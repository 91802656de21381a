with

int_answer_pairs as (

    select * from {{ ref('int_answer_pairs') }}

)

-- The same words for the same gold are scored once.
select
    pair_id,
    max(answer_text) as answer_text,
    max(gold_text) as gold_text,
    max(answer_type) as answer_type
from int_answer_pairs
where pair_id is not null
group by pair_id
