with

int_filings_named as (

    select * from {{ ref('int_filings_named') }}

)

select
    cik_int,
    lpad(cast(cik_int as varchar), 10, '0') as cik,
    known_name as company_name,
    known_ticker as ticker,
    count(*) as n_filings,
    min(report_year) as first_year,
    max(report_year) as last_year
from int_filings_named
group by cik_int, known_name, known_ticker
