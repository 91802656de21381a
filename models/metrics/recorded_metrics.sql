{{ config(post_hook="{{ fill_recorded_measures() }}") }}
with

int_results_measured as (

    select * from {{ ref('int_results_measured') }}

),

int_results_hashed as (

    select * from {{ ref('int_results_hashed') }}

)

select
    md5(int_results_hashed.results_hash || int_results_measured.summary_id)
        as recorded_metric_id,
    int_results_hashed.results_hash,
    int_results_measured.summary_id,
    int_results_measured.system_id,
    int_results_measured.gold_set,
    int_results_measured.slice_name,
    int_results_measured.slice_value,
    int_results_measured.metric,
    int_results_measured.k,
    int_results_measured.unit,
    int_results_measured.mode,
    int_results_measured.scorer_id,
    int_results_measured.n_asked,
    int_results_measured.n_evaluated,
    int_results_measured.n_uncovered,
    int_results_measured.n_abstained,
    int_results_measured.n_failed,
    int_results_measured.n_not_run,
    int_results_measured.n_unscored,
    int_results_measured.mean,
    int_results_measured.ci_low,
    int_results_measured.ci_high
from int_results_measured
cross join int_results_hashed
-- The same figures again are the same results: only the run is new.
where {{ not_yet_in_history('results_hash', 'int_results_hashed.results_hash') }}
