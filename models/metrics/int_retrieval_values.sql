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
    unnested.system_id,
    unnested.gold_set,
    unnested.item_id,
    unnested.measured.metric,
    unnested.measured.k,
    unnested.unit,
    unnested.mode,
    unnested.measured.value_status,
    unnested.measured.value,
    unnested.measured.value_best,
    unnested.measured.value_worst,
    unnested.measured.value_expected
from unnested
