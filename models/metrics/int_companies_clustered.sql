with

int_items_judged as (

    select * from {{ ref('int_items_judged') }}

),

clusters as (

    select
        cluster_id,
        cik_ints
    from int_items_judged
    group by cluster_id, cik_ints

)

select
    cluster_id,
    {{ unnest_list('cik_ints', 'cik_int') }}
from clusters
