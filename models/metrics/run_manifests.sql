with

runs as (

    select * from {{ ref('runs') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

embeddings as (

    select * from {{ ref('embeddings') }}

),

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

int_gold_hashed as (

    select *
    from {{ ref('int_gold_hashed') }}
    where hashed = 'filings'

),

py_environment_read as (

    select * from {{ ref('py_environment_read') }}

),

encoders as (

    select
        encoder,
        min(encoder_id) as encoder_id
    from embeddings
    group by encoder

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

versions as (

    select distinct gold_version
    from items

),

stated_versions as (

    select
        system_id,
        system_version
    from external_predictions
    where system_version is not null
    group by system_id, system_version

),

system_versions as (

    select
        system_id,
        array_to_string(list(system_version order by system_version)[:3], ', ')
        || case when count(*) > 3 then ' and ' || count(*) - 3 || ' more' else '' end
            as system_version
    from stated_versions
    group by system_id

),

suite as (

    select array_to_string(list(gold_version order by gold_version), ', ') as versions
    from versions

)

-- Stands in this room because it knows the gold, which no system under test may.
select
    runs.run_id,
    md5(runs.run_id || int_gold_hashed.gold_hash) as evaluation_id,
    registered_systems.system_id,
    registered_systems.system_kind,
    registered_systems.settings,
    registered_systems.settings_hash,
    coalesce(
        system_versions.system_version,
        nullif(registered_systems.system_version, 'none')
    ) as system_version,
    encoders.encoder_id,
    nullif(registered_systems.reranker, 'none') as reranker,
    nullif(registered_systems.answerer, 'none') as answerer,
    registered_systems.prompt_hash,
    runs.corpus_hash,
    runs.anchors_hash,
    runs.questions_hash,
    runs.readings_hash,
    int_gold_hashed.gold_hash,
    suite.versions as gold_versions,
    py_environment_read.finrag_version,
    py_environment_read.python_version,
    py_environment_read.library_versions,
    py_environment_read.llm_endpoint,
    py_environment_read.git_commit,
    py_environment_read.has_uncommitted_changes
from runs
cross join registered_systems
cross join suite
cross join int_gold_hashed
cross join py_environment_read
left join encoders
    on registered_systems.encoder = encoders.encoder
left join system_versions
    on registered_systems.system_id = system_versions.system_id
