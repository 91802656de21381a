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

    select * from {{ ref('retrieval_outcomes') }}

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

-- Who answers one question of a set in a file is expected to answer them all, whatever
-- it was declared for.
sets_begun as (

    select
        system_id,
        gold_set
    from external_predictions
    group by system_id, gold_set

),

-- So is who was declared to answer nothing and answers there; a blank answer is one.
answers_begun as (

    select
        system_id,
        gold_set
    from external_predictions
    where has_answer and failure is null
    group by system_id, gold_set

),

-- One kind of passage is enough to answer from.
searched as (

    select
        system_id,
        item_id,
        case when bool_or(outcome = 'ranked') then 'ranked' else min(outcome) end
            as outcome,
        min(failure) as failure
    from retrieval_outcomes
    group by system_id, item_id

)

-- Every system that answers has an outcome for every question that it is asked.
select
    registered_systems.system_id,
    items.gold_set,
    items.item_id,
    registered_systems.system_kind,
    searched.failure as retrieval_failure,
    coalesce(searched.outcome, 'not_run') as retrieval_outcome
from registered_systems
cross join items
left join searched
    on
        registered_systems.system_id = searched.system_id
        and items.item_id = searched.item_id
left join sets_begun
    on
        registered_systems.system_id = sets_begun.system_id
        and items.gold_set = sets_begun.gold_set
left join answers_begun
    on
        registered_systems.system_id = answers_begun.system_id
        and items.gold_set = answers_begun.gold_set
where
    registered_systems.asks <> 'anchors'
    and (
        registered_systems.answerer <> 'none'
        or registered_systems.system_kind in ('external_file', 'external_http')
    )
    and case
        when registered_systems.gold_sets is not null
            then list_contains(registered_systems.gold_sets, items.gold_set)
        when
            registered_systems.answer_sets = 'none'
            and answers_begun.gold_set is null
            then false
        when sets_begun.gold_set is not null or registered_systems.answer_sets = 'all'
            then true
        when registered_systems.answer_sets = 'public'
            then
                registered_systems.system_kind = 'external_http'
                and {{ gold_set_is('public', 'items.gold_set') }}
        else {{ gold_set_is('filings', 'items.gold_set') }}
    end
