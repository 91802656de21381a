-- Which kinds of question lack their evidence? Share of questions all of whose evidence
-- was found within 10, by category and system.
-- Read it before the answers: what was not found cannot be answered. Questions about
-- what is not disclosed have no evidence and are uncovered.
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

)

select
    slice_value as category,
    system_id,
    n_evaluated,
    n_uncovered,
    mean as whole_evidence_within_10,
    ci_low,
    ci_high
from metric_summaries
where
    gold_set = 'p3'
    and slice_name = 'category'
    and metric = 'evidence_complete'
    and k = 10
order by category asc, system_id asc
