-- What goes wrong, where, and what helps? One example of each kind beside its count.
with

answer_failures as (

    select * from {{ ref('answer_failures') }}

),

answers as (

    select * from {{ ref('answers') }}

),

failure_kinds as (

    select * from {{ ref('failure_kinds') }}

),

asked as (

    select
        system_id,
        count(*) as n_asked
    from answers
    group by system_id

),

counted as (

    select
        system_id,
        failure,
        count(*) as n_failures,
        min(item_id) as example_item_id
    from answer_failures
    group by system_id, failure

)

select
    counted.system_id,
    failure_kinds.stage,
    counted.failure,
    counted.n_failures,
    asked.n_asked,
    round(counted.n_failures / asked.n_asked, 3) as failure_share,
    failure_kinds.description,
    failure_kinds.remedy,
    examples.question_text as example_question,
    examples.gold_text as example_gold,
    examples.answer_text as example_answer,
    examples.detail as example_detail
from counted
inner join asked
    on counted.system_id = asked.system_id
inner join failure_kinds
    on counted.failure = failure_kinds.failure
inner join answer_failures as examples
    on
        counted.system_id = examples.system_id
        and counted.example_item_id = examples.item_id
order by counted.system_id asc, counted.n_failures desc, counted.failure asc
