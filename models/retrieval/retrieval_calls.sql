with

int_items_ranked as (

    select * from {{ ref('int_items_ranked') }}

),

called as (

    select
        system_id,
        item_id,
        unit,
        {{ unnest_structs('calls') }}
    from int_items_ranked

)

select
    system_id,
    item_id,
    unit,
    call_id,
    stage,
    model,
    prompt_hash,
    request_hash,
    status,
    error,
    http_status,
    n_attempts,
    input_tokens,
    output_tokens,
    latency_ms,
    called_at
from called
