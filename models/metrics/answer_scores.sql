with

py_public_answers_scored as (

    select * from {{ ref('py_public_answers_scored') }}

),

py_calls_scored as (

    select * from {{ ref('py_calls_scored') }}

),

py_public_citations_scored as (

    select * from {{ ref('py_public_citations_scored') }}

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
    benchmark as gold_set,
    system_id,
    benchmark || ':' || question_id as item_id,
    'attribution' as metric,
    'strict' as mode,
    cast(null as varchar) as configuration,
    value,
    verdict,
    cast(null as varchar) as detail
from py_calls_scored

union all

select
    benchmark as gold_set,
    system_id,
    benchmark || ':' || question_id as item_id,
    metric,
    'strict' as mode,
    cast(null as varchar) as configuration,
    value,
    verdict,
    detail
from py_public_citations_scored
