{{ config(post_hook="{{ fill_recorded_measures() }}") }}
with

int_results_measured as (

    select * from {{ ref('int_results_measured') }}

)

select
    md5(results_hash || summary_id) as recorded_metric_id,
    results_hash,
    summary_id,
    system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    k,
    unit,
    mode,
    scorer_id,
    n_asked,
    n_evaluated,
    n_uncovered,
    n_abstained,
    n_failed,
    n_not_run,
    n_unscored,
    mean,
    ci_low,
    ci_high
from int_results_measured
-- The same figures again are the same results: only the run is new.
where {{ not_yet_in_history('results_hash', 'int_results_measured.results_hash') }}
