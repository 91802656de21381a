with

py_filings_read as (

    select *
    from {{ ref('py_filings_read') }}
    where record_status = 'loaded'

),

-- Over keys alone: a window over whole filings would not fit into memory.
accessions as (

    select
        filing_id,
        source_file,
        source_line,
        coalesce(
            nullif(parts[1].accession, ''),
            nullif(
                regexp_extract(filing_name, '[0-9]{10}-[0-9]{2}-[0-9]{6}'), ''
            )
        ) as accession
    from {{ ref('py_filings_read') }}
    where record_status = 'loaded'

),

-- Two filings of one form and year are two where their accession numbers say so; what
-- has none, or one that was read before, is read a second time.
ordered as (

    select
        source_file,
        source_line,
        accession,
        row_number() over (
            partition by filing_id
            order by substr(accession, 12), accession, source_file, source_line
        ) as filing_no,
        row_number() over (
            partition by filing_id, accession order by source_file, source_line
        ) as reading_no
    from accessions

),

loaded as (

    select
        case
            when ordered.filing_no = 1 then py_filings_read.filing_id
            else
                regexp_replace(
                    py_filings_read.filing_id,
                    '_([0-9]{4})$',
                    '-' || ordered.accession || '_\1'
                )
        end as filing_id,
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
    inner join ordered
        on
            py_filings_read.source_file = ordered.source_file
            and py_filings_read.source_line = ordered.source_line
    where
        ordered.filing_no = 1
        or (ordered.accession is not null and ordered.reading_no = 1)

)

select * from loaded
