{#- Records about a document and nothing else, such as FinanceBench's filings. -#}
with

py_benchmark_records_read as (

    select * from {{ ref('py_benchmark_records_read') }}

)

select
    benchmark,
    source_file,
    source_line,
    original as original_fields
from py_benchmark_records_read
where
    record_status = 'read'
    and {{ list_length('questions') }} = 0
    and {{ list_length('passages') }} = 0
    and {{ list_length('judgments') }} = 0
    and {{ list_length('predictions') }} = 0
