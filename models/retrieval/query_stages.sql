with

py_questions_ranked as (

    select * from {{ ref('py_questions_ranked') }}

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

staged as (

    select
        system_id,
        item_id,
        stages
    from py_questions_ranked
    where stages is not null

    union all

    select
        system_id,
        item_id,
        stages
    from external_predictions
    where stages is not null

),

stages as (

    select
        system_id,
        item_id,
        {{ unnest_structs('stages') }}
    from staged

)

select
    system_id,
    item_id,
    stage_pos,
    stage,
    n_in,
    n_out,
    latency_ms
from stages
