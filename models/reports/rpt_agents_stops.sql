with

runs as (

    select * from {{ ref('runs') }}

),

agent_steps as (

    select *
    from {{ ref('agent_steps') }}
    where stop_reason is not null

),

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

stopped as (

    select
        agent_steps.gold_set,
        agent_steps.system_id,
        agent_steps.stop_reason,
        count(*) as n,
        count(*) filter (where answer_verdicts.is_right) as n_right,
        count(*) filter (where not answer_verdicts.is_right) as n_wrong
    from agent_steps
    left join answer_verdicts
        on
            agent_steps.gold_set = answer_verdicts.gold_set
            and agent_steps.system_id = answer_verdicts.system_id
            and agent_steps.item_id = answer_verdicts.item_id
    group by all

)

select
    runs.run_id,
    stopped.gold_set,
    stopped.system_id,
    stopped.stop_reason,
    stopped.n,
    stopped.n
    / sum(stopped.n) over (partition by stopped.gold_set, stopped.system_id)
        as share,
    stopped.n_right,
    stopped.n_wrong
from stopped
cross join runs
