with

py_benchmark_passages_ranked as (

    select * from {{ ref('py_benchmark_passages_ranked') }}

)

select
    system_id,
    benchmark,
    item_id,
    space,
    rank,
    passage_id,
    score,
    n_tied
from py_benchmark_passages_ranked
where rank is not null
