{#-
    The values that are expected of answers: of every system, real or null, for every
    question that it was asked and every metric that applies. A question of the filings has
    the metrics of its answer type; one of a public set those by which the set's evaluator
    measured any answer of the system, what its outcome alone decides and, of a system that
    cites, those of citations and of the support of its claims. The answerers of this
    project answer in words and cite: of an evaluator's metrics they have those of the text.
    A null is a text and nothing else.
-#}
with

answers as (

    select * from {{ ref('answers') }}

),

int_answers_marked as (

    select * from {{ ref('int_answers_marked') }}

),

int_null_answers as (

    select * from {{ ref('int_null_answers') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

metric_catalogue as (

    select *
    from {{ ref('metric_catalogue') }}
    where
        unit = 'answer'
        and asked_of in ('answers', 'public', 'any')

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

py_public_answers_scored as (

    select * from {{ ref('py_public_answers_scored') }}

),

py_public_gold_checked as (

    select * from {{ ref('py_public_gold_checked') }}

),

int_references_named as (

    select * from {{ ref('int_references_named') }}

),

evidenced as (

    select item_id
    from int_references_named
    group by item_id

),

questions as (

    select
        item_answers.item_id,
        item_answers.gold_set,
        case
            when {{ gold_set_is('filings', 'item_answers.gold_set') }} then 'answers'
            else 'public'
        end as asked_of,
        -- A public set has words of its own for types of answers.
        case
            when asked_of = 'answers' or item_answers.answer_type = 'speaker'
                then item_answers.answer_type
            when not item_answers.is_answerable then 'no_answer'
            when item_answers.is_list then 'list'
            else 'span'
        end as answer_type,
        coalesce(item_answers.answer_type = 'speaker', false) as asks_speaker,
        coalesce(not item_answers.is_answerable, false) as is_rejection,
        {{ list_length('item_answers.answers') }} = 0 as has_no_gold,
        evidenced.item_id is not null as has_evidence
    from item_answers
    left join evidenced
        on item_answers.item_id = evidenced.item_id

),

systems as (

    select
        system_id,
        gold_set,
        bool_or(outcome <> 'not_run') as has_run,
        bool_or(is_citing) as is_citing
    from answers
    group by system_id, gold_set

),

asked as (

    select
        systems.system_id,
        systems.has_run,
        systems.is_citing,
        coalesce(registered_systems.answerer, 'none') <> 'none' as is_answerer,
        cast(null as varchar) as null_kind,
        coalesce(answers.outcome, 'not_run') as outcome,
        questions.*
    from systems
    inner join questions
        on systems.gold_set = questions.gold_set
    left join registered_systems
        on systems.system_id = registered_systems.system_id
    left join answers
        on
            systems.system_id = answers.system_id
            and questions.item_id = answers.item_id

    union all

    select
        'null_' || int_null_answers.null_kind as system_id,
        true as has_run,
        false as is_citing,
        false as is_answerer,
        int_null_answers.null_kind,
        'answered' as outcome,
        questions.*
    from int_null_answers
    inner join questions
        on int_null_answers.item_id = questions.item_id

),

evaluated as (

    select
        benchmark as gold_set,
        system_id,
        metric,
        mode
    from py_public_answers_scored
    group by benchmark, system_id, metric, mode

),

marked as (

    select
        system_id,
        item_id
    from int_answers_marked
    where mark in ('perfect', 'minor extrapolation', 'hallucination')
    group by system_id, item_id

),

unmeasurable as (

    select
        benchmark || ':' || question_id as item_id,
        metric,
        mode
    from py_public_gold_checked

)

select
    asked.system_id,
    asked.gold_set,
    asked.item_id,
    asked.null_kind,
    asked.outcome,
    asked.answer_type,
    metric_catalogue.metric,
    metric_catalogue.k,
    metric_catalogue.unit,
    metric_catalogue.mode,
    metric_catalogue.measured_by,
    metric_catalogue.counts_abstention,
    metric_catalogue.counts_failure,
    unmeasurable.item_id is not null
    or (metric_catalogue.needs_gold and not asked.has_evidence)
    or (
        coalesce(metric_catalogue.question_kind = 'speaker', false)
        and asked.has_no_gold
    )
        as is_uncovered,
    -- A set that has neither an answer nor a word that there is none asks for rankings.
    asked.asked_of <> 'public' or asked.is_rejection or not asked.has_no_gold
        as is_answer_expected
from asked
inner join metric_catalogue
    on
        metric_catalogue.asked_of in (asked.asked_of, 'any')
        and (
            coalesce(metric_catalogue.applies_to, '') = ''
            or contains(
                ' ' || metric_catalogue.applies_to || ' ',
                ' ' || asked.answer_type || ' '
            )
        )
        and case metric_catalogue.question_kind
            when 'speaker' then asked.asks_speaker
            when 'rejection' then asked.is_rejection
            when 'wording' then not asked.asks_speaker
            else true
        end
        and (asked.null_kind is null or metric_catalogue.needs_text_only)
left join evaluated
    on
        asked.system_id = evaluated.system_id
        and asked.gold_set = evaluated.gold_set
        and metric_catalogue.metric = evaluated.metric
        and metric_catalogue.mode = evaluated.mode
left join unmeasurable
    on
        asked.item_id = unmeasurable.item_id
        and metric_catalogue.metric = unmeasurable.metric
        and metric_catalogue.mode = unmeasurable.mode
left join marked
    on
        asked.system_id = marked.system_id
        and asked.item_id = marked.item_id
where
    (
        asked.asked_of = 'answers'
        or (metric_catalogue.measured_by = 'outcome' and asked.has_run)
        or (
            metric_catalogue.measured_by in ('citations', 'claims') and asked.is_citing
        )
        or (
            evaluated.metric is not null
            and (not asked.is_answerer or metric_catalogue.needs_text_only)
        )
    )
    and (metric_catalogue.measured_by <> 'marks' or marked.item_id is not null)
