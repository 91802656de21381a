with

py_filings_read as (

    select * from {{ ref('py_filings_read') }}

),

int_filing_records_repeated as (

    select * from {{ ref('int_filing_records_repeated') }}

),

loaded as (

    select
        py_filings_read.filing_id,
        py_filings_read.cik_int,
        py_filings_read.company_name,
        py_filings_read.ticker,
        py_filings_read.form,
        py_filings_read.report_year,
        py_filings_read.fiscal_year_end,
        py_filings_read.filing_name,
        py_filings_read.source_file,
        py_filings_read.source_line,
        py_filings_read.sections
    from py_filings_read
    anti join int_filing_records_repeated
        on
            py_filings_read.source_file = int_filing_records_repeated.source_file
            and py_filings_read.source_line = int_filing_records_repeated.source_line
    where py_filings_read.record_status = 'loaded'

)

select * from loaded
