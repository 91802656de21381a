with

runs as (

    select * from {{ ref('runs') }}

),

gold_hashes as (

    select * from {{ ref('gold_hashes') }}

),

p3_baseline as (

    select * from {{ ref('p3_baseline') }}

),

p3_changes as (

    select * from {{ ref('p3_changes') }}

),

frozen as (

    select count(*) as n_frozen
    from p3_baseline

),

changed as (

    select count(*) as n_changed
    from p3_changes

)

select
    runs.run_id,
    gold_hashes.gold_hash,
    gold_hashes.judgments_hash,
    gold_hashes.answers_hash,
    runs.anchors_hash,
    runs.questions_hash,
    case when frozen.n_frozen > 0 then 'measured' else 'unmeasured' end as status,
    case
        when frozen.n_frozen = 0
            then
                'No suite is frozen: a question that changes its answer is not '
                || 'noticed. Run finrag freeze and commit the seed it writes.'
    end as why,
    frozen.n_frozen,
    case when frozen.n_frozen > 0 then changed.n_changed end as n_changed
from runs
cross join gold_hashes
cross join frozen
cross join changed
