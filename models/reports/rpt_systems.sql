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

),

run_manifests as (

    select * from {{ ref('run_manifests') }}

)

select
    runs.run_id,
    registered_systems.system_id,
    registered_systems.system_kind,
    registered_systems.regime,
    registered_systems.is_null,
    registered_systems.description,
    registered_systems.encoder,
    registered_systems.index_type,
    vector_indexes.recall_at_10 as index_recall_at_10,
    vector_indexes.n_recall_queries as index_recall_n,
    registered_systems.reranker,
    registered_systems.depth,
    run_manifests.encoder_id,
    run_manifests.reranker as reranker_model,
    run_manifests.answerer as answerer_model,
    run_manifests.settings_hash,
    run_manifests.prompt_hash
from registered_systems
cross join runs
left join vector_indexes
    on registered_systems.system_id = vector_indexes.system_id
left join run_manifests
    on registered_systems.system_id = run_manifests.system_id
