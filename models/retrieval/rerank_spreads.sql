with

py_items_ranked as (

    select * from {{ ref('py_items_ranked') }}

)

select
    system_id,
    gold_set,
    item_id,
    unit,
    struct_extract(spread, 'n_repeats') as n_repeats,
    struct_extract(spread, 'score_variance') as score_variance,
    struct_extract(spread, 'score_entropy') as score_entropy
from py_items_ranked
where spread is not null
