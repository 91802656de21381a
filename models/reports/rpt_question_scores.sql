with

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

page_figures as (

    select * from {{ ref('page_figures') }}

),

answers as (

    select * from {{ ref('answers') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

answerers as (

    select
        answers.system_id,
        answers.gold_set
    from answers
    inner join registered_systems
        on
            answers.system_id = registered_systems.system_id
            and not registered_systems.is_null
    group by answers.system_id, answers.gold_set

)

-- What an answer that was never given would have scored is no row: the answer says why.
select
    int_questions_shown.page_id,
    metric_values.system_id,
    metric_values.metric,
    metric_values.k,
    metric_values.unit,
    metric_values.mode,
    metric_values.value_status,
    metric_values.value
from metric_values
inner join int_questions_shown
    on metric_values.item_id = int_questions_shown.item_id
inner join metric_catalogue
    on
        metric_values.metric = metric_catalogue.metric
        and metric_values.k = metric_catalogue.k
        and metric_values.unit = metric_catalogue.unit
        and metric_values.mode = metric_catalogue.mode
inner join answerers
    on
        metric_values.system_id = answerers.system_id
        and metric_values.gold_set = answerers.gold_set
left join page_figures
    on
        page_figures.shown_in = 'rpt_question_scores'
        and metric_values.metric = page_figures.metric
        and metric_values.k = page_figures.k
        and metric_values.unit = page_figures.unit
        and metric_values.mode = page_figures.mode
where
    metric_values.value_status in ('evaluated', 'unscored')
    and (
        metric_catalogue.asked_of in ('answers', 'any', 'judge')
        or (
            metric_catalogue.asked_of = 'public'
            and metric_catalogue.unit = 'answer'
        )
        or metric_catalogue.is_headline
        or page_figures.figure_id is not null
    )
order by
    int_questions_shown.page_id,
    metric_values.metric,
    metric_values.k,
    metric_values.unit,
    metric_values.mode,
    metric_values.system_id
