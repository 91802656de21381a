-- Which questions does hardly anyone get right, and what went wrong at each system?
-- Read flags first: a question that all systems miss with all of the evidence may be a
-- bad question. n_right is out of n_systems; failures names what the others did.
with

answer_diagnoses as (

    select * from {{ ref('answer_diagnoses') }}

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

answer_failures as (

    select * from {{ ref('answer_failures') }}

),

failures as (

    select
        item_id,
        string_agg(system_id || ': ' || failure, ', ' order by system_id) as failures
    from answer_failures
    group by item_id

)

select
    answer_diagnoses.hardness_rank,
    answer_diagnoses.item_id,
    gold_p3.category,
    gold_p3.difficulty,
    gold_p3.retrieval_scope as scope,
    answer_diagnoses.n_right,
    answer_diagnoses.n_systems,
    items.question_text,
    gold_p3.answer_text as gold_text,
    failures.failures,
    array_to_string(answer_diagnoses.flags, ', ') as flags
from answer_diagnoses
inner join items
    on answer_diagnoses.item_id = items.item_id
inner join gold_p3
    on items.question_id = gold_p3.question_id
left join failures
    on answer_diagnoses.item_id = failures.item_id
where answer_diagnoses.hardness_rank <= 50
order by answer_diagnoses.gold_set, answer_diagnoses.hardness_rank
