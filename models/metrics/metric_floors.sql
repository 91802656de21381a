with

runs as (

    select * from {{ ref('runs') }}

),

py_values_summarised as (

    select * from {{ ref('py_values_summarised') }}

),

-- Every score that a null can have has a row for every kind, measured or not.
floored as (

    select
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        unit,
        mode,
        n_evaluated,
        mean,
        scorer_id,
        {{ unnest_structs('floors') }}
    from py_values_summarised

)

select
    md5(concat_ws(
        '|',
        floored.system_id,
        floored.gold_set,
        floored.slice_name,
        floored.slice_value,
        floored.metric,
        cast(floored.k as varchar),
        floored.unit,
        floored.mode,
        floored.scorer_id,
        floored.null_kind
    )) as floor_id,
    runs.run_id,
    floored.system_id,
    floored.gold_set,
    floored.slice_name,
    floored.slice_value,
    floored.metric,
    floored.k,
    floored.unit,
    floored.mode,
    floored.null_kind,
    floored.n_evaluated as n,
    floored.mean as score,
    floored.n_null,
    floored.null_mean,
    floored.null_p90,
    floored.distance,
    floored.is_above_null,
    floored.null_mean_p90,
    floored.distance_of_mean,
    floored.scorer_id
from floored
cross join runs
