with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

py_anchors_ranked as (

    select * from {{ ref('py_anchors_ranked') }}

),

outcomes as (

    select
        system_id,
        item_id,
        count(rank) as n_ranked,
        max(failure) as failure
    from py_anchors_ranked
    group by system_id, item_id

)

-- Every system owes an outcome for every anchor: what was not run shows as such.
select
    registered_systems.system_id,
    anchors.gold_set,
    anchors.item_id,
    case
        when outcomes.item_id is null then 'not_run'
        when outcomes.failure is not null then 'failed'
        else 'ranked'
    end as outcome,
    outcomes.failure,
    coalesce(outcomes.n_ranked, 0) as n_ranked
from registered_systems
cross join anchors
left join outcomes
    on
        registered_systems.system_id = outcomes.system_id
        and anchors.item_id = outcomes.item_id
