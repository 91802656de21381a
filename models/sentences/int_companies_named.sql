with

int_filings_unioned as (

    select * from {{ ref('int_filings_unioned') }}

),

stg_corpus__companies as (

    select * from {{ ref('stg_corpus__companies') }}

),

-- A company that changed its name is known by the name of its latest filing.
latest_names as (

    select
        cik_int,
        max_by(
            company_name,
            case when company_name is not null then (report_year, filing_id) end
        ) as company_name,
        max_by(
            ticker,
            case when ticker is not null then (report_year, filing_id) end
        ) as ticker,
        count(*) as n_filings,
        min(report_year) as first_year,
        max(report_year) as last_year
    from int_filings_unioned
    group by cik_int

)

select
    latest_names.cik_int,
    lpad(cast(latest_names.cik_int as varchar), 10, '0') as cik,
    coalesce(
        stg_corpus__companies.company_name,
        latest_names.company_name,
        'CIK ' || latest_names.cik_int
    ) as company_name,
    coalesce(stg_corpus__companies.ticker, latest_names.ticker) as ticker,
    latest_names.n_filings,
    latest_names.first_year,
    latest_names.last_year
from latest_names
left join stg_corpus__companies
    on latest_names.cik_int = stg_corpus__companies.cik_int
