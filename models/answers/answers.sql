with

int_answers_owed as (

    select * from {{ ref('int_answers_owed') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

int_answers_unioned as (

    select * from {{ ref('int_answers_unioned') }}

),

answer_citations as (

    select * from {{ ref('answer_citations') }}

),

cited as (

    select
        system_id,
        item_id,
        count(*) as n_citations,
        count(*) filter (where not is_in_context) as n_invalid_citations
    from answer_citations
    group by system_id, item_id

)

-- A question whose retrieval failed was asked and failed; nothing is left out.
select
    int_answers_owed.system_id,
    int_answers_owed.gold_set,
    int_answers_owed.item_id,
    case
        when int_answers_unioned.item_id is not null then int_answers_unioned.outcome
        when int_answers_owed.retrieval_outcome = 'failed' then 'failed'
        else 'not_run'
    end as outcome,
    case
        when int_answers_unioned.item_id is not null then int_answers_unioned.failure
        when int_answers_owed.retrieval_outcome = 'failed'
            then 'retrieval: ' || int_answers_owed.retrieval_failure
    end as failure,
    int_answers_unioned.answer_text,
    int_answers_unioned.answer_form,
    int_answers_unioned.numeric_value,
    int_answers_unioned.unit,
    int_answers_unioned.support,
    int_answers_owed.n_context,
    coalesce(cited.n_citations, 0) as n_citations,
    coalesce(cited.n_invalid_citations, 0) as n_invalid_citations,
    registered_systems.prompt_hash,
    int_answers_unioned.latency_ms
from int_answers_owed
inner join registered_systems
    on int_answers_owed.system_id = registered_systems.system_id
left join int_answers_unioned
    on
        int_answers_owed.system_id = int_answers_unioned.system_id
        and int_answers_owed.item_id = int_answers_unioned.item_id
left join cited
    on
        int_answers_owed.system_id = cited.system_id
        and int_answers_owed.item_id = cited.item_id
