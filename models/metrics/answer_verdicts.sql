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

int_answers_decided as (

    select * from {{ ref('int_answers_decided') }}

)

select
    answers.system_id,
    answers.gold_set,
    answers.item_id,
    answers.outcome,
    case
        when
            int_answers_decided.is_right
            or int_answers_decided.shows_wrong
            or answers.outcome = 'abstained'
            then int_answers_decided.is_right
    end as is_right,
    int_answers_decided.metric,
    int_answers_decided.k,
    int_answers_decided.unit,
    int_answers_decided.mode
from answers
left join int_answers_decided
    on
        answers.outcome in ('answered', 'abstained')
        and answers.system_id = int_answers_decided.system_id
        and answers.item_id = int_answers_decided.item_id
