with

stg_benchmarks__judgments as (

    select * from {{ ref('stg_benchmarks__judgments') }}

)

select
    benchmark,
    document
from stg_benchmarks__judgments
where document is not null
group by benchmark, document
