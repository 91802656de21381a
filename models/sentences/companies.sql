with

int_filings_named as (

    select * from {{ ref('int_filings_named') }}

),

py_company_names_shortened as (

    select * from {{ ref('py_company_names_shortened') }}

),

-- Under the name by which it is known.
named as (

    select
        cik_int,
        known_name,
        known_ticker,
        count(*) as n_filings,
        min(report_year) as first_year,
        max(report_year) as last_year
    from int_filings_named
    group by cik_int, known_name, known_ticker

)

select
    named.cik_int,
    lpad(cast(named.cik_int as varchar), 10, '0') as cik,
    named.known_name as company_name,
    py_company_names_shortened.display_name,
    py_company_names_shortened.possessive_name,
    py_company_names_shortened.aliases,
    named.known_ticker as ticker,
    named.n_filings,
    named.first_year,
    named.last_year
from named
inner join py_company_names_shortened
    on named.cik_int = py_company_names_shortened.cik_int
