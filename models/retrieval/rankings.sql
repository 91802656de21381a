with

py_anchors_ranked as (

    select * from {{ ref('py_anchors_ranked') }}

)

select
    system_id,
    gold_set,
    item_id,
    rank,
    sentence_id,
    score,
    n_tied
from py_anchors_ranked
where rank is not null
