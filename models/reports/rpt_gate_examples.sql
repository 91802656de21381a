with

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

system_pairs as (

    select * from {{ ref('system_pairs') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

page_figures as (

    select * from {{ ref('page_figures') }}

),

-- Questions that no flag excludes, before answering or after.
sound as (

    select item_id
    from item_slices
    where slice_name = 'sound'

),

-- A gate over a pair of systems is a statement about the first of them.
broken as (

    select
        gate_verdicts.run_id,
        gate_verdicts.gate_id,
        gate_verdicts.gold_set,
        gate_verdicts.slice_name,
        gate_verdicts.slice_value,
        gate_verdicts.metric,
        gate_verdicts.k,
        gate_verdicts.unit,
        gate_verdicts.mode,
        gate_verdicts.measured_in,
        coalesce(system_pairs.system_a, gate_verdicts.system_id) as system_id
    from gate_verdicts
    left join system_pairs
        on gate_verdicts.system_id = system_pairs.pair_id
    where
        gate_verdicts.breach is not null
        or gate_verdicts.verdict not in ('pass', 'not_applicable')

),

asked as (

    select
        item_id,
        sentence_text as item_text,
        cast(null as varchar) as gold_text,
        cast(null as varchar) as scope,
        cast(null as varchar) as category,
        true as is_sound
    from anchors

    union all

    select
        items.item_id,
        gold_p3.question_text as item_text,
        gold_p3.answer_text as gold_text,
        gold_p3.retrieval_scope as scope,
        gold_p3.category,
        sound.item_id is not null as is_sound
    from items
    inner join gold_p3
        on items.question_id = gold_p3.question_id
    left join sound
        on items.item_id = sound.item_id

),

-- What is better is the metric's: a gate on a change has another direction. A failed
-- answer is an observation of its own, for it has no value of any metric.
values_read as (

    select
        metric_values.system_id,
        metric_values.gold_set,
        metric_values.item_id,
        metric_values.metric,
        metric_values.k,
        metric_values.unit,
        metric_values.mode,
        metric_values.value_status,
        metric_values.value,
        false as is_failure,
        case metric_catalogue.direction
            when 'max' then 1 - coalesce(metric_values.value, 0)
            else coalesce(metric_values.value, 1)
        end as badness
    from metric_values
    inner join metric_catalogue
        on
            metric_values.metric = metric_catalogue.metric
            and metric_values.k = metric_catalogue.k
            and metric_values.unit = metric_catalogue.unit
            and metric_values.mode = metric_catalogue.mode

    union all

    select
        answers.system_id,
        answers.gold_set,
        answers.item_id,
        page_figures.metric,
        page_figures.k,
        page_figures.unit,
        page_figures.mode,
        answers.outcome as value_status,
        cast(null as double) as value,
        true as is_failure,
        1 as badness
    from answers
    inner join page_figures
        on page_figures.shown_in = 'rpt_gate_examples'
    where answers.outcome in ('failed', 'not_run')

),

-- A mean is over what was evaluated; to a difference what is missing is the worst.
-- Examples of a slice that is not listed here would be examples of something else.
observed as (

    select
        broken.run_id,
        broken.gate_id,
        broken.system_id,
        values_read.item_id,
        values_read.value_status,
        values_read.value,
        values_read.badness,
        asked.item_text,
        asked.gold_text
    from broken
    inner join values_read
        on
            broken.system_id = values_read.system_id
            and broken.gold_set = values_read.gold_set
            and broken.metric = values_read.metric
            and broken.k = values_read.k
            and broken.unit = values_read.unit
            and broken.mode = values_read.mode
    inner join asked
        on values_read.item_id = asked.item_id
    where
        (
            values_read.value_status = 'evaluated'
            or values_read.is_failure
            or (
                broken.measured_in = 'comparisons'
                and values_read.value_status <> 'uncovered'
            )
        )
        and case broken.slice_name
            when 'overall' then true
            when 'sound' then asked.is_sound
            when 'sound_scope'
                then asked.is_sound and asked.scope = broken.slice_value
            when 'scope' then asked.scope = broken.slice_value
            when 'category' then asked.category = broken.slice_value
            else false
        end

),

-- What scored full marks is no example of a failure.
ordered as (

    select
        *,
        row_number() over (
            partition by gate_id
            order by
                badness desc,
                {{ seeded_order('item_id', 'examples') }} asc,
                item_id asc
        ) as example_rank
    from observed
    where badness > 0

)

select
    ordered.run_id,
    ordered.gate_id,
    cast(ordered.example_rank as integer) as example_rank,
    ordered.system_id,
    ordered.item_id,
    ordered.value_status,
    ordered.value,
    ordered.item_text,
    ordered.gold_text,
    answers.outcome,
    answers.answer_text
from ordered
left join answers
    on
        ordered.system_id = answers.system_id
        and ordered.item_id = answers.item_id
where ordered.example_rank <= 3
