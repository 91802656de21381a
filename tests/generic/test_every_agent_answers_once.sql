{#-
    Sessions of agents without exactly one answer, or with a call behind it. A question that an
    agent was run on has a session, also where it found nothing or failed.
-#}
{% test every_agent_answers_once(model) %}

with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

retrieval_outcomes as (

    select * from {{ ref('retrieval_outcomes') }}

),

sessions as (

    select
        system_id,
        item_id,
        count(*) filter (where tool_name = 'answer') as n_answers,
        arg_max(tool_name, (turn_pos, call_pos)) as last_tool_name
    from {{ model }}
    group by system_id, item_id

),

run_here as (

    select
        retrieval_outcomes.system_id,
        retrieval_outcomes.item_id
    from retrieval_outcomes
    inner join registered_systems
        on retrieval_outcomes.system_id = registered_systems.system_id
    where
        registered_systems.system_kind = 'agent'
        and retrieval_outcomes.outcome <> 'not_run'
    group by retrieval_outcomes.system_id, retrieval_outcomes.item_id

)

select
    coalesce(sessions.system_id, run_here.system_id) as system_id,
    coalesce(sessions.item_id, run_here.item_id) as item_id,
    sessions.n_answers,
    sessions.last_tool_name
from sessions
full join run_here
    on
        sessions.system_id = run_here.system_id
        and sessions.item_id = run_here.item_id
where
    sessions.n_answers is distinct from 1
    or sessions.last_tool_name is distinct from 'answer'

{% endtest %}
