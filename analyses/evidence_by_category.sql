-- Where do systems fail? Questions whose whole evidence was found, by category.
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
