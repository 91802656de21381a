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

contexts as (

    select * from {{ ref('contexts') }}

),

answer_citations as (

    select * from {{ ref('answer_citations') }}

),

contexts_counted as (

    select
        system_id,
        item_id,
        count(*) as n_context
    from contexts
    group by system_id, item_id

),

cited as (

    select
        system_id,
        item_id,
        count(*) as n_citations,
        count(*) filter (where not is_in_context) as n_invalid_citations
    from answer_citations
    group by system_id, item_id

),

-- The baseline that says who spoke owes what it answers.
answered as (

    select
        coalesce(int_answers_owed.system_id, int_answers_unioned.system_id)
            as system_id,
        coalesce(int_answers_owed.gold_set, int_answers_unioned.gold_set) as gold_set,
        coalesce(int_answers_owed.item_id, int_answers_unioned.item_id) as item_id,
        int_answers_unioned.outcome,
        int_answers_unioned.failure,
        int_answers_unioned.answer_text,
        int_answers_unioned.answer_form,
        int_answers_unioned.numeric_value,
        int_answers_unioned.unit,
        int_answers_unioned.answer,
        int_answers_unioned.scale,
        int_answers_unioned.program,
        int_answers_unioned.speaker,
        int_answers_unioned.role,
        int_answers_unioned.label,
        int_answers_unioned.label_by,
        int_answers_unioned.is_contained,
        int_answers_unioned.configuration,
        int_answers_unioned.n_answers,
        int_answers_unioned.support,
        int_answers_unioned.is_citing,
        int_answers_unioned.latency_ms,
        int_answers_unioned.source_file,
        int_answers_unioned.source_line,
        int_answers_owed.retrieval_outcome,
        int_answers_owed.retrieval_failure
    from int_answers_owed
    full join int_answers_unioned
        on
            int_answers_owed.system_id = int_answers_unioned.system_id
            and int_answers_owed.item_id = int_answers_unioned.item_id

)

-- A question whose retrieval failed was asked and failed; nothing is left out.
select
    answered.system_id,
    answered.gold_set,
    answered.item_id,
    case
        when answered.outcome is not null then answered.outcome
        when answered.retrieval_outcome = 'failed' then 'failed'
        else 'not_run'
    end as outcome,
    case
        when answered.outcome is not null then answered.failure
        when answered.retrieval_outcome = 'failed'
            then 'retrieval: ' || answered.retrieval_failure
    end as failure,
    answered.answer_text,
    answered.answer_form,
    answered.numeric_value,
    answered.unit,
    answered.answer,
    answered.scale,
    answered.program,
    answered.speaker,
    answered.role,
    answered.label,
    answered.label_by,
    answered.is_contained,
    answered.configuration,
    coalesce(answered.n_answers, cast(answered.outcome = 'answered' as bigint), 0)
        as n_answers,
    answered.support,
    coalesce(contexts_counted.n_context, 0) as n_context,
    coalesce(answered.is_citing, false) as is_citing,
    coalesce(cited.n_citations, 0) as n_citations,
    coalesce(cited.n_invalid_citations, 0) as n_invalid_citations,
    registered_systems.prompt_hash,
    answered.latency_ms,
    answered.source_file,
    answered.source_line
from answered
left join registered_systems
    on answered.system_id = registered_systems.system_id
left join contexts_counted
    on
        answered.system_id = contexts_counted.system_id
        and answered.item_id = contexts_counted.item_id
left join cited
    on
        answered.system_id = cited.system_id
        and answered.item_id = cited.item_id
