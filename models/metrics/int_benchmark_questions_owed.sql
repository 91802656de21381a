{#- Every question of a public set that a system owes, and whether it was run on it. -#}
with

retrieval_outcomes as (

    select *
    from {{ ref('retrieval_outcomes') }}
    where unit <> 'sentence'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

)

select
    retrieval_outcomes.system_id,
    retrieval_outcomes.gold_set as benchmark,
    retrieval_outcomes.item_id,
    registered_systems.system_id is null as is_given,
    bool_or(retrieval_outcomes.outcome <> 'not_run') as is_run
from retrieval_outcomes
left join registered_systems
    on retrieval_outcomes.system_id = registered_systems.system_id
group by
    retrieval_outcomes.system_id,
    retrieval_outcomes.gold_set,
    retrieval_outcomes.item_id,
    registered_systems.system_id
