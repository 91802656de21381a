-- Does retrieval break in small sections? Hit@5 of P2 by length bucket and system.
-- Read each system against the random one of its regime: in a section of ten sentences
-- random order hits nearly always, so a high score there says little.
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

)

select
    slice_value as length_bucket,
    system_id,
    n_evaluated,
    n_uncovered,
    mean as hit_at_5,
    ci_low,
    ci_high
from metric_summaries
where
    gold_set = 'p2'
    and slice_name = 'length_bucket'
    and metric = 'hit'
    and k = 5
order by
    case slice_value
        when '<10' then 0
        when '10-19' then 1
        when '20-39' then 2
        else 3
    end,
    system_id
