-- What moved most since the baseline? First what lies outside of its interval.
-- Read is_comparable before change: another corpus or other questions move a figure by
-- themselves, and why_not says which. The baseline that is shipped is of the sample
-- corpus; `finrag baseline` sets one of yours.
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
    unit,
    mode,
    baseline_n,
    baseline_mean,
    baseline_ci_low,
    baseline_ci_high,
    n,
    mean,
    change,
    growth_change,
    relative_change,
    is_beyond_interval,
    why_not
from metric_drifts
order by
    is_comparable desc,
    coalesce(is_beyond_interval, false) desc,
    abs(change) desc nulls last,
    drift_id asc
