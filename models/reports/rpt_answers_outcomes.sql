with

rpt_overview_answers as (

    select * from {{ ref('rpt_overview_answers') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

by_outcome as (

    select
        run_id,
        system_id,
        gold_set,
        n_asked,
        1 as outcome_pos,
        'answered' as outcome,
        n_answered as n
    from rpt_overview_answers

    union all

    select
        run_id,
        system_id,
        gold_set,
        n_asked,
        2 as outcome_pos,
        'abstained' as outcome,
        n_abstained as n
    from rpt_overview_answers

    union all

    select
        run_id,
        system_id,
        gold_set,
        n_asked,
        3 as outcome_pos,
        'failed' as outcome,
        n_failed as n
    from rpt_overview_answers

    union all

    select
        run_id,
        system_id,
        gold_set,
        n_asked,
        4 as outcome_pos,
        'not_run' as outcome,
        n_not_run as n
    from rpt_overview_answers

)

select
    by_outcome.run_id,
    by_outcome.gold_set,
    by_outcome.system_id,
    registered_systems.is_null,
    by_outcome.outcome_pos,
    by_outcome.outcome,
    by_outcome.n,
    by_outcome.n_asked
from by_outcome
inner join registered_systems
    on by_outcome.system_id = registered_systems.system_id
-- What only ranks owes no answer.
where by_outcome.n_asked > 0
