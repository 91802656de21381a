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

int_evidence_followed as (

    select * from {{ ref('int_evidence_followed') }}

),

py_answers_scored as (

    select *
    from {{ ref('py_answers_scored') }}
    where failure is not null

)

select
    py_answers_scored.system_id,
    int_evidence_followed.gold_set,
    py_answers_scored.item_id,
    py_answers_scored.failure,
    py_answers_scored.detail,
    int_evidence_followed.n_evidence,
    int_evidence_followed.n_evidence_ranked,
    int_evidence_followed.n_evidence_in_context,
    int_evidence_followed.n_evidence_cited,
    item_answers.answer_text as gold_text,
    int_evidence_followed.answer_text,
    coalesce(items.question_text, '') as question_text,
    item_answers.retrieval_scope as scope,
    item_answers.difficulty,
    item_answers.category,
    array_to_string(gold_p3.company_name, ', ') as company_name
from py_answers_scored
inner join int_evidence_followed
    on
        py_answers_scored.system_id = int_evidence_followed.system_id
        and py_answers_scored.item_id = int_evidence_followed.item_id
inner join items
    on py_answers_scored.item_id = items.item_id
left join item_answers
    on items.item_id = item_answers.item_id
left join gold_p3
    on
        {{ gold_set_is('filings', 'items.gold_set') }}
        and items.question_id = gold_p3.question_id
