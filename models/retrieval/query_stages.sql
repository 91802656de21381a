with

py_items_ranked as (

    select * from {{ ref('py_items_ranked') }}

),

external_predictions as (

    select *
    from {{ ref('external_predictions') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

staged as (

    select
        system_id,
        item_id,
        unit,
        stages
    from py_items_ranked
    where stages is not null

    union all

    select
        system_id,
        item_id,
        'sentence' as unit,
        stages
    from external_predictions
    where stages is not null

),

stages as (

    select
        system_id,
        item_id,
        unit,
        {{ unnest_structs('stages') }}
    from staged

)

select
    system_id,
    item_id,
    unit,
    stage_pos,
    stage,
    n_in,
    n_out,
    latency_ms
from stages
