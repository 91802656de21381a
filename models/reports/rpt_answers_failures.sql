with

answer_failures as (

    select * from {{ ref('answer_failures') }}

),

failure_kinds as (

    select * from {{ ref('failure_kinds') }}

),

rpt_overview_answers as (

    select * from {{ ref('rpt_overview_answers') }}

),

counted as (

    select
        system_id,
        gold_set,
        failure,
        count(*) as n
    from answer_failures
    group by system_id, gold_set, failure

)

select
    counted.gold_set,
    counted.system_id,
    failure_kinds.rank as failure_pos,
    coalesce(failure_kinds.stage, 'unknown') as stage,
    counted.failure,
    counted.n,
    rpt_overview_answers.n_asked,
    failure_kinds.description,
    failure_kinds.remedy
from counted
inner join rpt_overview_answers
    on
        counted.system_id = rpt_overview_answers.system_id
        and counted.gold_set = rpt_overview_answers.gold_set
left join failure_kinds
    on counted.failure = failure_kinds.failure
