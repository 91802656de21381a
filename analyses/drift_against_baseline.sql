-- What moved most since the baseline? First what lies outside of its interval.
with

metric_drifts as (

    select * from {{ ref('metric_drifts') }}

)

select
    baseline,
    set_on,
    system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    k,
    baseline_n,
    baseline_mean,
    n,
    mean,
    change,
    relative_change,
    is_beyond_interval,
    why_not
from metric_drifts
order by
    is_comparable desc,
    coalesce(is_beyond_interval, false) desc,
    abs(change) desc nulls last,
    drift_id asc
