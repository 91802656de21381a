{#- What every outside system made of every question; a question without a record of
    it, or with a ranking alone, was not run. -#}
with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

owed as (

    select
        registered_systems.system_id,
        items.gold_set,
        items.item_id
    from registered_systems
    cross join items
    where registered_systems.system_kind in ('external_file', 'external_http')

),

outcomes as (

    select
        owed.system_id,
        owed.gold_set,
        owed.item_id,
        case
            when external_predictions.has_answer is not true then 'not_run'
            when external_predictions.failure is not null then 'failed'
            when external_predictions.is_abstained then 'abstained'
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
        {{ list_length('external_predictions.citations') }} as n_citations,
        external_predictions.model,
        external_predictions.n_steps,
        external_predictions.input_tokens,
        external_predictions.output_tokens,
        external_predictions.latency_ms,
        external_predictions.cost_usd,
        external_predictions.source_file,
        external_predictions.source_line
    from owed
    left join external_predictions
        on
            owed.system_id = external_predictions.system_id
            and owed.item_id = external_predictions.item_id

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
    case when outcome = 'answered' then n_citations else 0 end as n_citations,
    model,
    n_steps,
    input_tokens,
    output_tokens,
    latency_ms,
    cost_usd,
    source_file,
    source_line
from outcomes
