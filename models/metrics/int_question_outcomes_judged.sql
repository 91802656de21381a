{#-
    What became of every question at every system, with the verdict on it. Right is what
    metric answer_accuracy says; is_right is null where that could not be told.
-#}
with

answers as (

    select *
    from {{ ref('answers') }}
    where gold_set = 'p3'

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

int_question_outcomes_evidenced as (

    select * from {{ ref('int_question_outcomes_evidenced') }}

),

int_answer_values as (

    select * from {{ ref('int_answer_values') }}

),

numeric_verdicts as (

    select * from {{ ref('numeric_verdicts') }}

),

answer_claims as (

    select * from {{ ref('answer_claims') }}

),

accuracies as (

    select
        system_id,
        item_id,
        value
    from int_answer_values
    where
        metric = 'answer_accuracy'
        and null_kind is null
        and value_status = 'evaluated'

),

unsupported as (

    select
        system_id,
        item_id,
        {{ joined_list(ordered_list('claim_text', 'claim_pos'), ', ') }} as numbers
    from answer_claims
    where
        claim_kind = 'number'
        and support = 'unsupported'
    group by system_id, item_id

)

select
    answers.system_id,
    answers.gold_set,
    answers.item_id,
    answers.outcome,
    answers.failure as error,
    answers.answer_text,
    answers.numeric_value,
    answers.unit,
    answers.n_citations,
    answers.n_invalid_citations,
    -- Answerers and prompts over one search may share its fault.
    case
        when registered_systems.system_kind in ('external_file', 'external_http')
            then registered_systems.system_id
        else concat_ws(
            '|', registered_systems.system_kind, registered_systems.regime
        )
    end as search_kind,
    gold_p3.answer_type,
    gold_p3.answer_text as gold_text,
    accuracies.value > 0 as is_right,
    numeric_verdicts.verdict,
    numeric_verdicts.reason as verdict_reason,
    unsupported.numbers as unsupported_numbers,
    int_question_outcomes_evidenced.n_evidence,
    int_question_outcomes_evidenced.n_evidence_ranked,
    int_question_outcomes_evidenced.n_evidence_in_context,
    int_question_outcomes_evidenced.n_evidence_cited,
    int_question_outcomes_evidenced.other_company_sentence_id,
    int_question_outcomes_evidenced.other_year_sentence_id
from answers
inner join registered_systems
    on answers.system_id = registered_systems.system_id
inner join items
    on answers.item_id = items.item_id
inner join gold_p3
    on items.question_id = gold_p3.question_id
inner join int_question_outcomes_evidenced
    on
        answers.system_id = int_question_outcomes_evidenced.system_id
        and answers.item_id = int_question_outcomes_evidenced.item_id
left join accuracies
    on
        answers.system_id = accuracies.system_id
        and answers.item_id = accuracies.item_id
left join numeric_verdicts
    on
        answers.system_id = numeric_verdicts.system_id
        and answers.item_id = numeric_verdicts.item_id
left join unsupported
    on
        answers.system_id = unsupported.system_id
        and answers.item_id = unsupported.item_id
