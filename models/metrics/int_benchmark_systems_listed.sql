{#- The same condition as finrag.benchmarks.ranking.takes_part. -#}
with

registered_systems as (

    select * from {{ ref('registered_systems') }}

)

select
    system_id,
    regime
from registered_systems
where
    system_kind in ('dense', 'bm25', 'hybrid', 'random')
    and asks in ('questions', 'both')
    and coalesce(index_type, 'flat') = 'flat'
    and coalesce(reranker, 'none') = 'none'
    and near_duplicate_cosine is null
    and mmr_lambda is null
