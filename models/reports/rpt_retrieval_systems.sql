with

runs as (

    select * from {{ ref('runs') }}

),

registered_systems as (

    select *
    from {{ ref('registered_systems') }}
    where gold_sets is null

),

vector_indexes as (

    select * from {{ ref('vector_indexes') }}

)

select
    runs.run_id,
    registered_systems.system_id,
    registered_systems.system_kind,
    registered_systems.regime,
    registered_systems.is_null,
    registered_systems.encoder,
    registered_systems.index_type,
    registered_systems.reranker,
    registered_systems.depth,
    registered_systems.description,
    vector_indexes.recall_at_10 as index_recall_at_10,
    vector_indexes.n_recall_queries as index_recall_n
from registered_systems
cross join runs
left join vector_indexes
    on registered_systems.system_id = vector_indexes.system_id
