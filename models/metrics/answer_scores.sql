with

py_public_answers_scored as (

    select * from {{ ref('py_public_answers_scored') }}

),

py_answers_scored as (

    select * from {{ ref('py_answers_scored') }}

),

citations as (

    select
        gold_set,
        system_id,
        item_id,
        {{ unnest_structs('citation_scores') }}
    from py_answers_scored

)

select
    benchmark as gold_set,
    system_id,
    benchmark || ':' || question_id as item_id,
    metric,
    mode,
    configuration,
    value,
    verdict,
    detail
from py_public_answers_scored

union all

select
    gold_set,
    system_id,
    item_id,
    metric,
    mode,
    cast(null as varchar) as configuration,
    value,
    verdict,
    detail
from citations
