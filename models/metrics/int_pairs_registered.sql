with

system_pairs as (

    select * from {{ ref('system_pairs') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

partners as (

    select
        system_id as system_a,
        unnest(compare_with) as system_b
    from registered_systems

),

pairs as (

    select
        pair_id,
        purpose,
        system_a,
        system_b,
        margin_metric,
        margin_k,
        margin
    from system_pairs

    union all

    select
        system_a || '_vs_' || system_b as pair_id,
        'rival' as purpose,
        system_a,
        system_b,
        cast(null as varchar) as margin_metric,
        cast(null as integer) as margin_k,
        cast(null as double) as margin
    from partners

)

-- A base that does not run is no partner.
select pairs.*
from pairs
inner join registered_systems
    on pairs.system_a = registered_systems.system_id
inner join registered_systems as rivals
    on pairs.system_b = rivals.system_id
