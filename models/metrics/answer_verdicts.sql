{#-
    Whether an answer is right: the first metric of the seed deciding_metrics that
    has a value for it says so. Declining is no answer: where that metric has no
    value for one who declines a question, it counts as wrong. What broke off is
    neither right nor wrong, even where a public evaluator gives it a 0. A metric that
    cannot show what is wrong, such as a search for the words of the gold, leaves an
    answer undecided where it finds nothing.
-#}
with

answers as (

    select * from {{ ref('answers') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

deciding_metrics as (

    select * from {{ ref('deciding_metrics') }}

),

decided as (

    select
        metric_values.system_id,
        metric_values.item_id,
        metric_values.metric,
        metric_values.k,
        metric_values.unit,
        metric_values.mode,
        deciding_metrics.shows_wrong,
        coalesce(
            metric_values.value_status = 'evaluated' and metric_values.value > 0, false
        ) as is_right
    from metric_values
    inner join deciding_metrics
        on
            metric_values.metric = deciding_metrics.metric
            and metric_values.k = deciding_metrics.k
            and metric_values.unit = deciding_metrics.unit
            and metric_values.mode = deciding_metrics.mode
    where metric_values.value_status in ('evaluated', 'abstained')
    qualify
        row_number() over (
            partition by metric_values.system_id, metric_values.item_id
            order by deciding_metrics.place
        ) = 1

)

select
    answers.system_id,
    answers.gold_set,
    answers.item_id,
    answers.outcome,
    case
        when
            decided.is_right
            or decided.shows_wrong
            or answers.outcome = 'abstained'
            then decided.is_right
    end as is_right,
    decided.metric,
    decided.k,
    decided.unit,
    decided.mode
from answers
left join decided
    on
        answers.outcome in ('answered', 'abstained')
        and answers.system_id = decided.system_id
        and answers.item_id = decided.item_id
