with

answers as (

    select *
    from {{ ref('answers') }}
    where gold_set = 'p3'

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

page_figures as (

    select * from {{ ref('page_figures') }}

),

accuracies as (

    select
        metric_values.system_id,
        metric_values.gold_set,
        metric_values.item_id,
        metric_values.value
    from metric_values
    inner join page_figures
        on
            page_figures.shown_in = 'rpt_questions_outcomes'
            and metric_values.metric = page_figures.metric
            and metric_values.k = page_figures.k
            and metric_values.unit = page_figures.unit
            and metric_values.mode = page_figures.mode
    where metric_values.value_status = 'evaluated'

)

select
    {{ question_page_id('answers.gold_set', 'answers.item_id') }} as page_id,
    answers.system_id,
    registered_systems.is_null,
    answers.outcome,
    case
        when accuracies.value > 0 then 'right'
        when accuracies.value = 0 then 'wrong'
        else 'not judged'
    end as judgement,
    -- Declining is right where nothing is disclosed, and wrong anywhere else.
    replace(answers.outcome, '_', ' ')
    || case
        when accuracies.value > 0 then ', right'
        when accuracies.value = 0 then ', wrong'
        else ', not judged'
    end as result
from answers
inner join registered_systems
    on answers.system_id = registered_systems.system_id
left join accuracies
    on
        answers.system_id = accuracies.system_id
        and answers.gold_set = accuracies.gold_set
        and answers.item_id = accuracies.item_id
order by page_id, answers.system_id
