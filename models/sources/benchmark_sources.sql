with

py_benchmark_files_found as (

    select * from {{ ref('py_benchmark_files_found') }}

)

select
    benchmark,
    holds,
    title,
    status,
    n_files,
    file_names,
    file_pattern,
    public_source,
    message
from py_benchmark_files_found
