with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

py_anchors_ranked as (

    select * from {{ ref('py_anchors_ranked') }}

),

py_questions_ranked as (

    select * from {{ ref('py_questions_ranked') }}

),

int_external_items_ranked as (

    select * from {{ ref('int_external_items_ranked') }}

),

asked as (

    select
        gold_set,
        item_id,
        'anchors' as asked_by
    from anchors

    union all

    select
        gold_set,
        item_id,
        'questions' as asked_by
    from items

),

ranked as (

    select
        system_id,
        item_id,
        rank,
        failure
    from py_anchors_ranked

    union all

    select
        system_id,
        item_id,
        rank,
        failure
    from py_questions_ranked

    union all

    select
        system_id,
        item_id,
        rank,
        failure
    from int_external_items_ranked

),

outcomes as (

    select
        system_id,
        item_id,
        count(rank) as n_ranked,
        max(failure) as failure
    from ranked
    group by system_id, item_id

)

-- Every system owes an outcome for every item it is asked: what was not run shows.
select
    registered_systems.system_id,
    asked.gold_set,
    asked.item_id,
    case
        when outcomes.item_id is null then 'not_run'
        when outcomes.failure is not null then 'failed'
        else 'ranked'
    end as outcome,
    outcomes.failure,
    coalesce(outcomes.n_ranked, 0) as n_ranked
from registered_systems
inner join asked
    on registered_systems.asks in (asked.asked_by, 'both')
left join outcomes
    on
        registered_systems.system_id = outcomes.system_id
        and asked.item_id = outcomes.item_id
