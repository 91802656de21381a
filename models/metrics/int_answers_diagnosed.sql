{#-
    What became of every question at every system, with the verdict on it. Right is
    what answer_verdicts says; is_right is null where that could not be told. A
    public set has words of its own for types of answers: of these it counts whether
    anything answers, whether a speaker is asked for, and whether a figure was asked for
    that is wrong.
-#}
with

answers as (

    select * from {{ ref('answers') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

int_answers_evidenced as (

    select * from {{ ref('int_answers_evidenced') }}

),

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

numeric_verdicts as (

    select * from {{ ref('numeric_verdicts') }}

),

answer_claims as (

    select * from {{ ref('answer_claims') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

claims as (

    select
        system_id,
        item_id,
        array_to_string(
            list(claim_text order by claim_pos) filter (
                where claim_kind = 'number' and support = 'unsupported'
            ),
            ', '
        ) as unsupported_numbers
    from answer_claims
    group by system_id, item_id

),

off_questions as (

    select
        system_id,
        item_id
    from metric_values
    where
        metric = 'off_question'
        and mode = 'finrag'
        and value = 1
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
    case
        when {{ gold_set_is('filings', 'item_answers.gold_set') }}
            then item_answers.answer_type
        when item_answers.answer_type = 'speaker' then 'speaker'
        when not item_answers.is_answerable then 'no_answer'
        when
            numeric_verdicts.verdict
            not in ('exact', 'within_rounding', 'within_tolerance')
            then 'numeric'
    end as answer_type,
    item_answers.answer_text as gold_text,
    answer_verdicts.is_right,
    numeric_verdicts.verdict,
    numeric_verdicts.reason as verdict_reason,
    claims.unsupported_numbers,
    off_questions.item_id is not null as is_off_question,
    int_answers_evidenced.n_evidence,
    int_answers_evidenced.n_evidence_ranked,
    int_answers_evidenced.n_evidence_in_context,
    int_answers_evidenced.n_evidence_cited,
    int_answers_evidenced.other_company_sentence_id,
    int_answers_evidenced.other_year_sentence_id
from answers
inner join registered_systems
    on answers.system_id = registered_systems.system_id
inner join item_answers
    on answers.item_id = item_answers.item_id
inner join int_answers_evidenced
    on
        answers.system_id = int_answers_evidenced.system_id
        and answers.item_id = int_answers_evidenced.item_id
left join answer_verdicts
    on
        answers.system_id = answer_verdicts.system_id
        and answers.item_id = answer_verdicts.item_id
left join numeric_verdicts
    on
        answers.system_id = numeric_verdicts.system_id
        and answers.item_id = numeric_verdicts.item_id
left join claims
    on
        answers.system_id = claims.system_id
        and answers.item_id = claims.item_id
left join off_questions
    on
        answers.system_id = off_questions.system_id
        and answers.item_id = off_questions.item_id
