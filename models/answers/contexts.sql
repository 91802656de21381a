with

int_contexts_worded as (

    select * from {{ ref('int_contexts_worded') }}

)

select
    system_id,
    item_id,
    context_pos,
    unit,
    rank,
    sentence_id as passage_id,
    tag,
    n_tokens
from int_contexts_worded
