with

numeric_verdicts as (

    select * from {{ ref('numeric_verdicts') }}

),

numeric_verdict_kinds as (

    select * from {{ ref('numeric_verdict_kinds') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

counted as (

    select
        system_id,
        gold_set,
        coalesce(verdict, outcome) as verdict,
        count(*) as n
    from numeric_verdicts
    group by system_id, gold_set, coalesce(verdict, outcome)

),

systems_counted as (

    select
        system_id,
        gold_set,
        count(*) as n_figures
    from numeric_verdicts
    group by system_id, gold_set

),

kinds as (

    select
        verdict,
        is_right,
        rank as verdict_pos,
        description,
        example
    from numeric_verdict_kinds

    union all

    -- Without an answer there is no verdict, and the question was asked all the same.
    select
        outcome as verdict,
        false as is_right,
        case outcome when 'abstained' then 101 when 'failed' then 102 else 103 end
            as verdict_pos,
        'No answer to judge: ' || replace(outcome, '_', ' ') || '.' as description,
        cast(null as varchar) as example
    from numeric_verdicts
    where verdict is null
    group by outcome

)

select
    systems_counted.gold_set,
    systems_counted.system_id,
    registered_systems.is_null,
    kinds.verdict_pos,
    kinds.verdict,
    kinds.is_right,
    coalesce(counted.n, 0) as n,
    systems_counted.n_figures,
    kinds.description,
    kinds.example
from systems_counted
cross join kinds
inner join registered_systems
    on systems_counted.system_id = registered_systems.system_id
left join counted
    on
        systems_counted.system_id = counted.system_id
        and systems_counted.gold_set = counted.gold_set
        and kinds.verdict = counted.verdict
