{#- Documents that questions are asked of, and those that hold their evidence. -#}
with

stg_benchmarks__questions as (

    select * from {{ ref('stg_benchmarks__questions') }}

),

stg_benchmarks__judgments as (

    select * from {{ ref('stg_benchmarks__judgments') }}

)

select
    benchmark,
    document_id as document
from stg_benchmarks__questions
where document_id is not null

union

select
    benchmark,
    document
from stg_benchmarks__judgments
where document is not null
