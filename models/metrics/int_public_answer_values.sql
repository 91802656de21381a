{#-
    A system that answered any question of a set owes a value for every question of it and
    every metric that it has there. Where the gold is why nothing can be measured, the question
    is uncovered: for every system, whether or not it answered, unless its file says how it
    was judged. The answerers of this project answer in words and cite: programs, scales and
    labels of people are no metrics of theirs.
-#}
with

answer_scores as (

    select * from {{ ref('answer_scores') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where
        gold_set <> 'p3'
        and outcome <> 'not_run'

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where gold_set <> 'p3'

),

metric_catalogue as (

    select *
    from {{ ref('metric_catalogue') }}
    where
        asked_of = 'public'
        and unit = 'answer'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

py_public_gold_checked as (

    select * from {{ ref('py_public_gold_checked') }}

),

int_references_named as (

    select * from {{ ref('int_references_named') }}

),

referenced as (

    select
        benchmark,
        question_id
    from int_references_named
    group by benchmark, question_id

),

systems as (

    select
        answer_scores.gold_set,
        answer_scores.system_id,
        answer_scores.metric,
        answer_scores.mode
    from answer_scores
    inner join metric_catalogue
        on
            answer_scores.metric = metric_catalogue.metric
            and answer_scores.mode = metric_catalogue.mode
    left join registered_systems
        on answer_scores.system_id = registered_systems.system_id
    where
        coalesce(registered_systems.answerer, 'none') = 'none'
        or metric_catalogue.needs_text_only
        or starts_with(answer_scores.metric, 'citation_')
    group by
        answer_scores.gold_set,
        answer_scores.system_id,
        answer_scores.metric,
        answer_scores.mode

    union all

    -- Declining is no answer that could be scored: what became of the question tells.
    select
        gold_set,
        system_id,
        'rejection_accuracy' as metric,
        'strict' as mode
    from answers
    group by gold_set, system_id

),

declined as (

    select
        answers.system_id,
        answers.gold_set,
        item_answers.item_id,
        'rejection_accuracy' as metric,
        'strict' as mode,
        cast(answers.outcome = 'abstained' as double) as value
    from answers
    inner join item_answers
        on
            answers.item_id = item_answers.item_id
            and not item_answers.is_answerable
    where answers.outcome in ('answered', 'abstained')

),

scores as (

    select
        system_id,
        gold_set,
        item_id,
        metric,
        mode,
        value
    from answer_scores

    union all

    select
        system_id,
        gold_set,
        item_id,
        metric,
        mode,
        value
    from declined

),

unmeasurable as (

    select
        benchmark || ':' || question_id as item_id,
        metric,
        mode
    from py_public_gold_checked

    union all

    select
        item_id,
        'attribution' as metric,
        'strict' as mode
    from item_answers
    where
        answer_type = 'attribution'
        and {{ list_length('answers') }} = 0

    union all

    select
        item_answers.item_id,
        metric_catalogue.metric,
        metric_catalogue.mode
    from item_answers
    cross join metric_catalogue
    left join referenced
        on
            item_answers.gold_set = referenced.benchmark
            and item_answers.question_id = referenced.question_id
    where
        starts_with(metric_catalogue.metric, 'citation_')
        and referenced.question_id is null

),

owed as (

    select
        systems.system_id,
        systems.gold_set,
        item_answers.item_id,
        systems.metric,
        systems.mode,
        scores.item_id is not null as is_scored,
        scores.value,
        unmeasurable.item_id is not null as is_unmeasurable,
        answers.outcome,
        coalesce(
            answers.answer,
            answers.program,
            answers.speaker,
            answers.role
        ) is not null as has_answer,
        -- What a person or another model said of a refusal counts as it was said.
        case systems.metric
            when 'rejection_accuracy' then true
            when 'contain_match' then answers.is_contained is not null
            else
                answers.label is not null
                and systems.metric in (
                    'correct', 'incorrect', 'refusal', 'llm_accuracy'
                )
        end as counts_abstention
    from systems
    inner join item_answers
        on
            systems.gold_set = item_answers.gold_set
            and case
                when starts_with(systems.metric, 'citation_') then true
                when systems.metric = 'rejection_accuracy'
                    then not item_answers.is_answerable
                else
                    (systems.metric = 'attribution')
                    = coalesce(item_answers.answer_type = 'attribution', false)
            end
    left join unmeasurable
        on
            item_answers.item_id = unmeasurable.item_id
            and systems.metric = unmeasurable.metric
            and systems.mode = unmeasurable.mode
    left join answers
        on
            systems.system_id = answers.system_id
            and item_answers.item_id = answers.item_id
    left join scores
        on
            systems.system_id = scores.system_id
            and systems.metric = scores.metric
            and systems.mode = scores.mode
            and item_answers.item_id = scores.item_id

),

-- A public evaluator gives silence 0, and mode official keeps what it gives; elsewhere
-- who declines is told from who is wrong.
with_status as (

    select
        *,
        case
            when
                outcome = 'abstained'
                and not counts_abstention
                and (mode <> 'official' or value is null)
                then case when is_unmeasurable then 'uncovered' else 'abstained' end
            when value is not null then 'evaluated'
            when is_unmeasurable then 'uncovered'
            when outcome is null then 'not_run'
            when is_scored or has_answer then 'unscored'
            else 'failed'
        end as value_status
    from owed

)

select
    system_id,
    gold_set,
    item_id,
    metric,
    mode,
    0 as k,
    'answer' as unit,
    value_status,
    case when value_status = 'evaluated' then value end as value
from with_status
