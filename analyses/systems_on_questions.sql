-- Which system finds the evidence of which questions? Sound questions, by scope.
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

)

select
    slice_value as scope,
    system_id,
    n_evaluated,
    mean as evidence_recall_at_10,
    ci_low,
    ci_high,
    mean_worst as if_ties_fall_badly,
    mean_best as if_ties_fall_well
from metric_summaries
where
    gold_set = 'p3'
    and slice_name = 'sound_scope'
    and metric = 'evidence_recall'
    and k = 10
order by scope asc, evidence_recall_at_10 desc, system_id asc
