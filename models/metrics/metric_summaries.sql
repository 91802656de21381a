with

runs as (

    select * from {{ ref('runs') }}

),

py_values_summarised as (

    select * from {{ ref('py_values_summarised') }}

)

select
    md5(concat_ws(
        '|',
        py_values_summarised.system_id,
        py_values_summarised.gold_set,
        py_values_summarised.slice_name,
        py_values_summarised.slice_value,
        py_values_summarised.metric,
        cast(py_values_summarised.k as varchar),
        py_values_summarised.unit,
        py_values_summarised.mode
    )) as summary_id,
    runs.run_id,
    py_values_summarised.system_id,
    py_values_summarised.gold_set,
    py_values_summarised.slice_name,
    py_values_summarised.slice_value,
    py_values_summarised.metric,
    py_values_summarised.k,
    py_values_summarised.unit,
    py_values_summarised.mode,
    py_values_summarised.n_asked,
    py_values_summarised.n_evaluated,
    py_values_summarised.n_uncovered,
    py_values_summarised.n_abstained,
    py_values_summarised.n_failed,
    py_values_summarised.n_not_run,
    py_values_summarised.n_unscored,
    py_values_summarised.mean,
    py_values_summarised.mean_of_asked,
    py_values_summarised.ci_low,
    py_values_summarised.ci_high,
    py_values_summarised.ci_method,
    py_values_summarised.mean_best,
    py_values_summarised.mean_worst,
    py_values_summarised.mean_expected,
    py_values_summarised.scorer_id,
    py_values_summarised.n_clusters
from py_values_summarised
cross join runs
