with

int_items_ranked as (

    select * from {{ ref('int_items_ranked') }}

),

int_external_items_ranked as (

    select * from {{ ref('int_external_items_ranked') }}

)

select
    system_id,
    gold_set,
    item_id,
    unit,
    rank,
    passage_id,
    score,
    n_tied,
    found_by
from int_items_ranked
where rank is not null

union all

select
    system_id,
    gold_set,
    item_id,
    unit,
    rank,
    passage_id,
    score,
    n_tied,
    cast(null as varchar) as found_by
from int_external_items_ranked
where rank is not null
