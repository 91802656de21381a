with

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

clusters as (

    select
        cluster_id,
        cik_ints,
        {{ gold_set_is('filings', 'gold_set') }} as is_company_set
    from int_items_graded

)

select
    cluster_id,
    cik_ints,
    is_company_set,
    cast(row_number() over (order by cluster_id) - 1 as bigint) as cluster_number
from clusters
group by cluster_id, cik_ints, is_company_set
