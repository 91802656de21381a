with

answer_claims as (

    select * from {{ ref('answer_claims') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

)

select
    {{ question_page_id('answer_claims.gold_set', 'answer_claims.item_id') }}
        as page_id,
    answer_claims.system_id,
    answer_claims.claim_pos,
    answer_claims.parent_pos,
    answer_claims.claim_kind,
    answer_claims.claim_text,
    answer_claims.support,
    answer_claims.sentence_id,
    answer_claims.reason
from answer_claims
inner join registered_systems
    on
        answer_claims.system_id = registered_systems.system_id
        and not registered_systems.is_null
order by page_id, answer_claims.system_id, answer_claims.claim_pos
