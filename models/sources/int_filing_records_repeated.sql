with

py_filings_read as (

    select * from {{ ref('py_filings_read') }}

),

numbered as (

    select
        source_file,
        source_line,
        filing_id,
        row_number() over (
            partition by filing_id order by source_file, source_line
        ) as occurrence
    from py_filings_read
    where record_status = 'loaded'

)

select
    source_file,
    source_line,
    filing_id
from numbered
where occurrence > 1
