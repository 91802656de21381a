{#- What every outside system made of every question. One without a record that speaks
    of an answer or judges one was not run; one whose answer is blank failed, whoever read
    it: `has_answer` says which (finrag.sources.predictions.fields). -#}
with

int_answers_expected as (

    select *
    from {{ ref('int_answers_expected') }}
    where system_kind in ('external_file', 'external_http')

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

outcomes as (

    select
        int_answers_expected.system_id,
        int_answers_expected.gold_set,
        int_answers_expected.item_id,
        case
            when
                external_predictions.has_answer is not true
                and external_predictions.label is null
                and external_predictions.is_contained is null
                then 'not_run'
            when external_predictions.failure is not null then 'failed'
            when external_predictions.is_abstained then 'abstained'
            -- Somebody judged an answer whose words the files do not have.
            when
                external_predictions.label is not null
                or external_predictions.is_contained is not null
                then 'answered'
            when
                external_predictions.answer_text is null
                and external_predictions.numeric_value is null
                then 'failed'
            else 'answered'
        end as outcome,
        external_predictions.failure,
        external_predictions.answer_text,
        external_predictions.numeric_value,
        external_predictions.unit,
        external_predictions.answer,
        external_predictions.scale,
        external_predictions.program,
        external_predictions.speaker,
        external_predictions.role,
        external_predictions.label,
        external_predictions.label_by,
        external_predictions.is_contained,
        external_predictions.configuration,
        external_predictions.n_answers,
        external_predictions.citations is not null as is_citing,
        {{ list_length('external_predictions.citations') }} as n_citations,
        coalesce(len(list_filter(
            external_predictions.citations,
            lambda one: not struct_extract(one, 'is_in_context')
        )), 0) as n_invalid_citations,
        external_predictions.model,
        external_predictions.n_steps,
        external_predictions.input_tokens,
        external_predictions.output_tokens,
        external_predictions.latency_ms,
        external_predictions.cost_usd,
        external_predictions.source_file,
        external_predictions.source_line
    from int_answers_expected
    left join external_predictions
        on
            int_answers_expected.system_id = external_predictions.system_id
            and int_answers_expected.item_id = external_predictions.item_id

)

select
    system_id,
    gold_set,
    item_id,
    outcome,
    case
        when outcome = 'failed'
            then coalesce(failure, 'the answer is blank; an abstention says so')
    end as failure,
    case when outcome = 'answered' then answer_text end as answer_text,
    case when outcome = 'answered' then numeric_value end as numeric_value,
    case when outcome = 'answered' then unit end as unit,
    -- What a system gave before it broke off is no answer, and a verdict on it none
    -- either.
    case when outcome <> 'failed' then answer end as answer,
    case when outcome <> 'failed' then scale end as scale,
    case when outcome <> 'failed' then program end as program,
    case when outcome <> 'failed' then speaker end as speaker,
    case when outcome <> 'failed' then role end as role,
    case when outcome <> 'failed' then label end as label,
    case when outcome <> 'failed' then label_by end as label_by,
    case when outcome <> 'failed' then is_contained end as is_contained,
    configuration,
    n_answers,
    is_citing,
    case when outcome = 'answered' then n_citations else 0 end as n_citations,
    case when outcome = 'answered' then n_invalid_citations else 0 end
        as n_invalid_citations,
    model,
    n_steps,
    input_tokens,
    output_tokens,
    latency_ms,
    cost_usd,
    source_file,
    source_line
from outcomes
