with

py_filings_read as (

    select *
    from {{ ref('py_filings_read') }}
    where record_status = 'loaded'

),

-- Over keys alone: a window over whole filings would not fit into memory.
repeated as (

    select
        source_file,
        source_line
    from {{ ref('py_filings_read') }}
    where record_status = 'loaded'
    qualify
        row_number() over (
            partition by filing_id order by source_file, source_line
        ) > 1

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
        py_filings_read.sections,
        py_filings_read.parts,
        py_filings_read.blocks,
        py_filings_read.tables,
        py_filings_read.cells,
        py_filings_read.facts
    from py_filings_read
    anti join repeated
        on
            py_filings_read.source_file = repeated.source_file
            and py_filings_read.source_line = repeated.source_line

)

select * from loaded
