with

runs as (

    select * from {{ ref('runs') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

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

-- A wrong answer misleads, a failure at least shows; an abstention is the least of it.
wrong as (

    select
        metric_values.system_id,
        metric_values.gold_set,
        metric_values.item_id,
        items.question_id,
        answers.outcome,
        answers.answer_text,
        case answers.outcome
            when 'answered' then 0
            when 'failed' then 1
            when 'not_run' then 2
            else 3
        end as kind_rank
    from metric_values
    inner join page_figures
        on
            page_figures.shown_in = 'rpt_run_examples'
            and metric_values.metric = page_figures.metric
            and metric_values.k = page_figures.k
            and metric_values.unit = page_figures.unit
            and metric_values.mode = page_figures.mode
    inner join registered_systems
        on
            metric_values.system_id = registered_systems.system_id
            and not registered_systems.is_null
    inner join items
        on metric_values.item_id = items.item_id
    inner join answers
        on
            metric_values.system_id = answers.system_id
            and metric_values.item_id = answers.item_id
    inner join sound
        on metric_values.item_id = sound.item_id
    where
        metric_values.value_status not in ('uncovered', 'unscored')
        and coalesce(metric_values.value, 0) < 1

),

ordered as (

    select
        *,
        row_number() over (
            partition by system_id, gold_set
            order by kind_rank, {{ seeded_order('item_id', 'examples') }}, item_id
        ) as example_rank
    from wrong

)

select
    runs.run_id,
    ordered.system_id,
    ordered.gold_set,
    cast(ordered.example_rank as integer) as example_rank,
    ordered.item_id,
    ordered.outcome,
    gold_p3.question_text,
    gold_p3.answer_type,
    gold_p3.retrieval_scope,
    gold_p3.answer_text as gold_text,
    ordered.answer_text
from ordered
cross join runs
inner join gold_p3
    on ordered.question_id = gold_p3.question_id
where ordered.example_rank <= {{ var('hardest_cases_per_system') | int }}
