{#-
    Answers and rankings, whoever's file they stand in: of the systems that are registered here,
    and of those met in the folders of public sets. A record of a public set that could not be
    read names no system; it is in quarantine.
-#}
with

py_external_rows_read as (

    select * from {{ ref('py_external_rows_read') }}

),

py_benchmark_records_read as (

    select * from {{ ref('py_benchmark_records_read') }}

),

given as (

    select
        benchmark as gold_set,
        source_file,
        source_line,
        record_status,
        raw_excerpt,
        {{ unnest_structs('predictions') }}
    from py_benchmark_records_read
    where record_status = 'read'

)

select
    system_id,
    cast(null as varchar) as gold_set,
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
    answer,
    scale,
    program,
    speaker,
    role,
    numeric_value,
    unit,
    is_abstained,
    failure,
    label,
    label_by,
    is_contained,
    configuration,
    citations,
    sources,
    candidates,
    stages,
    steps,
    model,
    system_version,
    n_steps,
    input_tokens,
    output_tokens,
    latency_ms,
    cost_usd,
    extra,
    faults
from py_external_rows_read

union all

select
    system as system_id,
    gold_set,
    source_file,
    source_line,
    record_status,
    cast(null as varchar) as reason_code,
    cast(null as varchar) as reason,
    cast(null as varchar) as remedy,
    raw_excerpt,
    record_form,
    item_key,
    question_text,
    has_answer,
    answer_text,
    is_cut,
    answer,
    scale,
    program,
    speaker,
    role,
    numeric_value,
    unit,
    is_abstained,
    failure,
    label,
    label_by,
    is_contained,
    configuration,
    citations,
    sources,
    candidates,
    stages,
    steps,
    model,
    system_version,
    n_steps,
    input_tokens,
    output_tokens,
    latency_ms,
    cost_usd,
    extra,
    faults
from given
