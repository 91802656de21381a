with

int_companies_named as (

    select * from {{ ref('int_companies_named') }}

),

py_company_names_shortened as (

    select * from {{ ref('py_company_names_shortened') }}

)

select
    int_companies_named.cik_int,
    int_companies_named.cik,
    int_companies_named.company_name,
    py_company_names_shortened.display_name,
    py_company_names_shortened.possessive_name,
    py_company_names_shortened.aliases,
    int_companies_named.ticker,
    int_companies_named.n_filings,
    int_companies_named.first_year,
    int_companies_named.last_year
from int_companies_named
inner join py_company_names_shortened
    on int_companies_named.cik_int = py_company_names_shortened.cik_int
