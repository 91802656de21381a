with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

items as (

    select *
    from {{ ref('items') }}
    where item_kind = 'question'

),

retrieval_outcomes as (

    select *
    from {{ ref('retrieval_outcomes') }}
    where unit = 'sentence'

),

contexts as (

    select * from {{ ref('contexts') }}

),

counted as (

    select
        system_id,
        item_id,
        count(*) as n_context
    from contexts
    group by system_id, item_id

)

-- Every system that answers owes an outcome for every question that it is asked.
select
    registered_systems.system_id,
    items.gold_set,
    items.item_id,
    registered_systems.system_kind,
    retrieval_outcomes.failure as retrieval_failure,
    coalesce(retrieval_outcomes.outcome, 'not_run') as retrieval_outcome,
    coalesce(counted.n_context, 0) as n_context
from registered_systems
cross join items
left join retrieval_outcomes
    on
        registered_systems.system_id = retrieval_outcomes.system_id
        and items.item_id = retrieval_outcomes.item_id
left join counted
    on
        registered_systems.system_id = counted.system_id
        and items.item_id = counted.item_id
where
    registered_systems.asks <> 'anchors'
    and (
        registered_systems.answerer <> 'none'
        or registered_systems.system_kind in ('external_file', 'external_http')
    )
    -- The one place that keeps the answering systems of this project to P3: on public
    -- sets they search and do not answer yet.
    and case
        when registered_systems.gold_sets is null then items.gold_set = 'p3'
        else {{ is_in_list('items.gold_set', 'registered_systems.gold_sets') }}
    end
