with

run_manifests as (

    select * from {{ ref('run_manifests') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

)

select
    run_manifests.run_id,
    run_manifests.system_id,
    run_manifests.system_kind,
    registered_systems.regime,
    registered_systems.is_null,
    registered_systems.description,
    run_manifests.encoder_id,
    run_manifests.reranker,
    run_manifests.answerer,
    run_manifests.settings_hash,
    run_manifests.prompt_hash
from run_manifests
inner join registered_systems
    on
        run_manifests.system_id = registered_systems.system_id
        and registered_systems.gold_sets is null
