with

answer_claims as (

    select * from {{ ref('answer_claims') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

counted as (

    select
        system_id,
        gold_set,
        claim_kind,
        support,
        count(*) as n
    from answer_claims
    group by system_id, gold_set, claim_kind, support

)

select
    counted.gold_set,
    counted.system_id,
    registered_systems.is_null,
    counted.claim_kind,
    case counted.support
        when 'supported' then 1
        when 'inferred' then 2
        else 3
    end as support_pos,
    counted.support,
    counted.n
from counted
inner join registered_systems
    on counted.system_id = registered_systems.system_id
