with

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

judged as (

    select
        *,
        case
            when is_right then 'right'
            when not is_right then 'wrong'
            else 'not judged'
        end as judgement
    from answer_verdicts

)

select
    int_questions_shown.page_id,
    judged.system_id,
    registered_systems.is_null,
    judged.outcome,
    judged.judgement,
    metric_catalogue.label as judged_by,
    -- Declining is right where nothing is disclosed, and wrong anywhere else.
    replace(judged.outcome, '_', ' ') || ', ' || judged.judgement as result
from judged
inner join int_questions_shown
    on judged.item_id = int_questions_shown.item_id
inner join registered_systems
    on judged.system_id = registered_systems.system_id
left join metric_catalogue
    on
        judged.metric = metric_catalogue.metric
        and judged.k = metric_catalogue.k
        and judged.unit = metric_catalogue.unit
        and judged.mode = metric_catalogue.mode
order by int_questions_shown.page_id, judged.system_id
