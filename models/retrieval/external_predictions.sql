with

int_external_rows_matched as (

    select * from {{ ref('int_external_rows_matched') }}

)

select
    system_id,
    gold_set,
    item_id,
    has_answer,
    answer_text,
    is_cut,
    numeric_value,
    unit,
    coalesce(is_abstained, false) as is_abstained,
    failure,
    citations,
    candidates,
    stages,
    model,
    n_steps,
    input_tokens,
    output_tokens,
    latency_ms,
    cost_usd,
    extra,
    source_file,
    source_line
from int_external_rows_matched
where
    record_form = 'prediction'
    and reason_code is null
