with

items as (

    select *
    from {{ ref('items') }}
    where item_kind = 'question'

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

int_answers_diagnosed as (

    select * from {{ ref('int_answers_diagnosed') }}

),

py_failures_found as (

    select * from {{ ref('py_failures_found') }}

)

select
    py_failures_found.system_id,
    int_answers_diagnosed.gold_set,
    py_failures_found.item_id,
    py_failures_found.failure,
    py_failures_found.detail,
    int_answers_diagnosed.n_evidence,
    int_answers_diagnosed.n_evidence_ranked,
    int_answers_diagnosed.n_evidence_in_context,
    int_answers_diagnosed.n_evidence_cited,
    int_answers_diagnosed.gold_text,
    int_answers_diagnosed.answer_text,
    coalesce(items.question_text, '') as question_text,
    item_answers.retrieval_scope as scope,
    item_answers.difficulty,
    item_answers.category,
    array_to_string(gold_p3.company_name, ', ') as company_name
from py_failures_found
inner join int_answers_diagnosed
    on
        py_failures_found.system_id = int_answers_diagnosed.system_id
        and py_failures_found.item_id = int_answers_diagnosed.item_id
inner join items
    on py_failures_found.item_id = items.item_id
left join item_answers
    on items.item_id = item_answers.item_id
left join gold_p3
    on
        {{ gold_set_is('filings', 'items.gold_set') }}
        and items.question_id = gold_p3.question_id
