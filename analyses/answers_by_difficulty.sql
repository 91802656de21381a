-- Do answers get worse as questions get harder? One row per system and difficulty, and
-- one per system, scope and difficulty, over all questions; random_open is the null.
-- Read accuracy beside answered: accuracy falls both where answers are wrong and where
-- the system declines. citation_correctness is over answers given alone. Two levels
-- differ where their intervals lie apart; below 30 questions say nothing.
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

chosen as (

    select *
    from metric_summaries
    where
        gold_set = 'p3'
        and slice_name in ('difficulty', 'scope_difficulty')
        and k = 0

)

select
    accuracy.system_id,
    accuracy.slice_name,
    accuracy.slice_value,
    accuracy.n_asked,
    accuracy.n_evaluated,
    accuracy.mean as answer_accuracy,
    accuracy.ci_low,
    accuracy.ci_high,
    answered.mean as answered,
    answered.ci_low as answered_ci_low,
    answered.ci_high as answered_ci_high,
    cited.n_evaluated as n_cited,
    cited.mean as citation_correctness,
    cited.ci_low as citation_ci_low,
    cited.ci_high as citation_ci_high
from chosen as accuracy
left join chosen as answered
    on
        accuracy.system_id = answered.system_id
        and accuracy.slice_name = answered.slice_name
        and accuracy.slice_value = answered.slice_value
        and answered.metric = 'answered'
left join chosen as cited
    on
        accuracy.system_id = cited.system_id
        and accuracy.slice_name = cited.slice_name
        and accuracy.slice_value = cited.slice_value
        and cited.metric = 'citation_correctness'
where accuracy.metric = 'answer_accuracy'
order by accuracy.slice_name, accuracy.slice_value, accuracy.system_id
