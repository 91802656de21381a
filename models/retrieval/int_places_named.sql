{#- Documents and pages that answers cite or rankings list. -#}
with

stg_benchmarks__citations as (

    select * from {{ ref('stg_benchmarks__citations') }}

),

stg_benchmarks__rankings as (

    select * from {{ ref('stg_benchmarks__rankings') }}

)

select
    benchmark as corpus_id,
    document,
    document_key,
    page
from stg_benchmarks__citations
where document is not null

union

select
    benchmark as corpus_id,
    document,
    document_key,
    page
from stg_benchmarks__rankings
where document is not null
