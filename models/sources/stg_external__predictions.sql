with

py_external_rows_read as (

    select * from {{ ref('py_external_rows_read') }}

)

select
    system_id,
    source_file,
    source_line,
    record_status,
    reason_code,
    reason,
    remedy,
    raw_excerpt,
    record_form,
    item_key,
    question_text,
    has_answer,
    answer_text,
    is_cut,
    numeric_value,
    unit,
    is_abstained,
    failure,
    citations,
    sources,
    candidates,
    stages,
    model,
    n_steps,
    input_tokens,
    output_tokens,
    latency_ms,
    cost_usd,
    extra,
    faults
from py_external_rows_read
