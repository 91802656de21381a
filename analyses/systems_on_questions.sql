-- Which system finds the evidence of which questions? Evidence recall@10 of sound
-- questions, by scope.
-- Read the interval of each system, then if_ties_fall_badly and if_ties_fall_well:
-- where those lie apart, equal scores decide the rank and no interval covers it.
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
