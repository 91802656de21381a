{#- Values of rankings, a row each: a list has its own in one row. -#}
{{ config(materialized = 'view') }}

with

py_rankings_scored as (

    select * from {{ ref('py_rankings_scored') }}

),

unnested as (

    select
        system_id,
        gold_set,
        item_id,
        unit,
        mode,
        unnest(metric_values) as measured
    from py_rankings_scored

)

select
    system_id,
    gold_set,
    item_id,
    measured.metric,
    measured.k,
    unit,
    mode,
    measured.value_status,
    measured.value,
    measured.value_best,
    measured.value_worst,
    measured.value_expected
from unnested
