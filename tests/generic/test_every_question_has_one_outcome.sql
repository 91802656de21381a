{#- Systems for which asked is not answered + abstained + failed + not run. -#}
{% test every_question_has_one_outcome(model) %}

with

questions as (

    select * from {{ ref('items') }} where item_kind = 'question'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

asked as (

    select
        gold_set,
        count(*) as n_asked
    from questions
    group by gold_set

),

described as (

    select
        system_id,
        gold_set,
        count(*) filter (where outcome = 'answered') as n_answered,
        count(*) filter (where outcome = 'abstained') as n_abstained,
        count(*) filter (where outcome = 'failed') as n_failed,
        count(*) filter (where outcome = 'not_run') as n_not_run
    from {{ model }}
    group by system_id, gold_set

)

select
    described.*,
    asked.n_asked
from described
inner join registered_systems
    on described.system_id = registered_systems.system_id
inner join asked
    on described.gold_set = asked.gold_set
where
    case
        when registered_systems.gold_sets is null then described.gold_set = 'p3'
        else list_contains(registered_systems.gold_sets, described.gold_set)
    end
    and asked.n_asked
    <> described.n_answered + described.n_abstained + described.n_failed + described.n_not_run

{% endtest %}
