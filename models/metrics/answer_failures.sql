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

failure_kinds as (

    select * from {{ ref('failure_kinds') }}

),

int_answers_diagnosed as (

    select * from {{ ref('int_answers_diagnosed') }}

),

int_answer_failures_checked as (

    select * from {{ ref('int_answer_failures_checked') }}

),

-- The first kind that fits: what went wrong early explains what went wrong later.
first_kinds as (

    select
        int_answer_failures_checked.system_id,
        int_answer_failures_checked.item_id,
        int_answer_failures_checked.failure,
        int_answer_failures_checked.detail
    from int_answer_failures_checked
    left join failure_kinds
        on int_answer_failures_checked.failure = failure_kinds.failure
    qualify
        row_number() over (
            partition by
                int_answer_failures_checked.system_id,
                int_answer_failures_checked.item_id
            order by
                failure_kinds.rank asc nulls last,
                int_answer_failures_checked.failure asc
        ) = 1

)

select
    first_kinds.system_id,
    int_answers_diagnosed.gold_set,
    first_kinds.item_id,
    first_kinds.failure,
    first_kinds.detail,
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
from first_kinds
inner join int_answers_diagnosed
    on
        first_kinds.system_id = int_answers_diagnosed.system_id
        and first_kinds.item_id = int_answers_diagnosed.item_id
inner join items
    on first_kinds.item_id = items.item_id
left join item_answers
    on items.item_id = item_answers.item_id
left join gold_p3
    on
        {{ gold_set_is('filings', 'items.gold_set') }}
        and items.question_id = gold_p3.question_id
