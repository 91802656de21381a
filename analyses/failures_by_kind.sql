-- What goes wrong, where, and what helps? One example of each kind beside its count.
-- Read the stage first: a system that lacks evidence is not helped by a better prompt.
-- failure_share is of all questions asked; its interval counts each company once.
with

answer_failures as (

    select * from {{ ref('answer_failures') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where gold_set = 'p3'

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

failure_kinds as (

    select * from {{ ref('failure_kinds') }}

),

asked as (

    select
        answers.system_id,
        count(*) as n_asked,
        count(distinct item_slices.cluster_id) as n_companies
    from answers
    inner join item_slices
        on
            answers.item_id = item_slices.item_id
            and item_slices.slice_name = 'overall'
    group by answers.system_id

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
    counted.n_failures / asked.n_asked as failure_share,
    {{ wilson_bound(
        '(counted.n_failures / asked.n_asked)', 'asked.n_companies', 'low'
    ) }} as ci_low,
    {{ wilson_bound(
        '(counted.n_failures / asked.n_asked)', 'asked.n_companies', 'high'
    ) }} as ci_high,
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
