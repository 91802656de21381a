with

int_items_sliced as (

    select * from {{ ref('int_items_sliced') }}

)

select
    item_id,
    gold_set,
    slice_name,
    slice_value,
    cluster_id
from int_items_sliced
