with

int_filings_unioned as (

    select * from {{ ref('int_filings_unioned') }}

),

int_companies_named as (

    select * from {{ ref('int_companies_named') }}

)

select
    int_filings_unioned.filing_id,
    int_filings_unioned.cik_int,
    coalesce(int_filings_unioned.company_name, int_companies_named.company_name)
        as company_name,
    coalesce(int_filings_unioned.ticker, int_companies_named.ticker) as ticker,
    int_filings_unioned.form,
    int_filings_unioned.report_year,
    int_filings_unioned.fiscal_year_end,
    int_filings_unioned.filing_name,
    int_filings_unioned.source_file,
    int_filings_unioned.source_line
from int_filings_unioned
inner join int_companies_named
    on int_filings_unioned.cik_int = int_companies_named.cik_int
