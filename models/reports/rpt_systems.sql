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

),

query_stages as (

    select *
    from {{ ref('query_stages') }}
    where n_repeats is not null

),

-- A variance above this says that a rerank hangs on the draw of the model.
spreads as (

    select
        system_id,
        max(n_repeats) as rerank_repeats,
        {{ exact_mean('score_variance') }} as rerank_variance,
        {{ exact_mean('score_entropy') }} as rerank_entropy
    from query_stages
    group by system_id

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
    spreads.rerank_repeats,
    spreads.rerank_variance,
    spreads.rerank_variance > 0.05 as is_rerank_unstable,
    spreads.rerank_entropy,
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
left join spreads
    on registered_systems.system_id = spreads.system_id
left join run_manifests
    on registered_systems.system_id = run_manifests.system_id
