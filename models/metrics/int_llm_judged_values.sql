{#-
    What a judge says, as values: where one is configured, every answering system has one for
    every question and every metric of a judge; where none is, there is nothing. An answer's
    metrics are of answers that were given, a context's of questions that something answers,
    whatever became of the answer. A context without passages supports nothing and was not
    shown to anybody: it has 0.
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

answer_judgements as (

    select * from {{ ref('answer_judgements') }}

),

metric_catalogue as (

    select *
    from {{ ref('metric_catalogue') }}
    where asked_of = 'judge'

),

judges as (

    select model
    from answer_judgements
    group by model

),

expected as (

    select
        answers.system_id,
        answers.gold_set,
        answers.item_id,
        answers.outcome,
        answers.n_context,
        item_answers.answer_text as gold_text,
        metric_catalogue.metric,
        metric_catalogue.k,
        metric_catalogue.unit,
        metric_catalogue.mode,
        metric_catalogue.needs_gold,
        replace(metric_catalogue.metric, 'judged_', '') as aspect,
        starts_with(metric_catalogue.metric, 'judged_context_') as is_of_context
    from answers
    inner join item_answers
        on answers.item_id = item_answers.item_id
    left join registered_systems
        on answers.system_id = registered_systems.system_id
    cross join metric_catalogue
    where
        exists (select 1 from judges)
        and (
            not starts_with(metric_catalogue.metric, 'judged_context_')
            or (
                item_answers.is_answerable
                and coalesce(registered_systems.answerer, 'none') <> 'none'
            )
        )

),

valued as (

    select
        expected.*,
        case
            when
                expected.is_of_context
                and expected.n_context = 0
                and expected.outcome in ('answered', 'abstained')
                then 0.0
            else answer_judgements.score
        end as value
    from expected
    left join answer_judgements
        on
            expected.system_id = answer_judgements.system_id
            and expected.item_id = answer_judgements.item_id
            and expected.aspect = answer_judgements.aspect

),

with_status as (

    select
        *,
        case
            when needs_gold and gold_text is null then 'uncovered'
            when value is not null then 'evaluated'
            when
                outcome in ('failed', 'not_run')
                and not (is_of_context and n_context > 0)
                then outcome
            when outcome = 'abstained' and not is_of_context then 'abstained'
            else 'unscored'
        end as value_status
    from valued

)

select
    with_status.system_id,
    with_status.gold_set,
    with_status.item_id,
    with_status.metric,
    with_status.k,
    with_status.unit,
    with_status.mode,
    with_status.value_status,
    case when with_status.value_status = 'evaluated' then with_status.value end
        as value,
    -- Two judges are not one scale.
    case when with_status.value_status = 'evaluated' then judges.model end as scorer_id
from with_status
cross join judges
