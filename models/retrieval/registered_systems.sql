with

systems as (

    select * from {{ ref('systems') }}

),

enabled as (

    select
        system_id,
        system_kind,
        regime,
        case
            when encoder = 'default' then {{ sql_literal(var('encoder')) }}
            else encoder
        end as encoder,
        index_type,
        index_clusters,
        index_probes,
        index_neighbours,
        index_code_bytes,
        bm25_k1,
        bm25_b,
        depth,
        random_seed,
        is_null,
        description
    from systems
    where
        is_enabled
        or system_id in ({{ sql_literals(var('enable_systems')) }})

)

select
    system_id,
    system_kind,
    regime,
    encoder,
    index_type,
    index_clusters,
    index_probes,
    index_neighbours,
    index_code_bytes,
    bm25_k1,
    bm25_b,
    depth,
    random_seed,
    is_null,
    description,
    md5(concat_ws(
        '|',
        system_kind,
        regime,
        coalesce(encoder, '-'),
        coalesce(index_type, '-'),
        coalesce(cast(index_clusters as varchar), '-'),
        coalesce(cast(index_probes as varchar), '-'),
        coalesce(cast(index_neighbours as varchar), '-'),
        coalesce(cast(index_code_bytes as varchar), '-'),
        coalesce(cast(bm25_k1 as varchar), '-'),
        coalesce(cast(bm25_b as varchar), '-'),
        cast(depth as varchar),
        coalesce(cast(random_seed as varchar), '-')
    )) as settings_hash
from enabled
