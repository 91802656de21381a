with

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

stg_corpus__sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

),

from_records as (

    select
        filing_id,
        cik_int,
        company_name,
        ticker,
        form,
        report_year,
        fiscal_year_end,
        filing_name,
        source_file,
        source_line
    from stg_corpus__filings

),

from_sentences as (

    select
        {{ filing_key('cik_int', 'form', 'report_year') }} as filing_id,
        cik_int,
        max(company_name) as company_name,
        max(ticker) as ticker,
        form,
        report_year,
        max(fiscal_year_end) as fiscal_year_end,
        cast(null as varchar) as filing_name,
        min(source_file) as source_file,
        min(source_line) as source_line
    from stg_corpus__sentences
    group by cik_int, form, report_year

)

select * from from_records
union all
select * from from_sentences
