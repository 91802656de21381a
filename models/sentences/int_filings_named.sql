{#-
    Filings from records or from a ready sentence table. A company is known by the file of
    names, else by its latest filing, else by its CIK; a filing that brings no name of its own
    has that one.
-#}
with

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

stg_corpus__sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

),

stg_corpus__companies as (

    select * from {{ ref('stg_corpus__companies') }}

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

),

unioned as (

    select * from from_records
    union all
    select * from from_sentences

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
        ) as ticker
    from unioned
    group by cik_int

),

known_names as (

    select
        latest_names.cik_int,
        coalesce(
            stg_corpus__companies.company_name,
            latest_names.company_name,
            'CIK ' || latest_names.cik_int
        ) as known_name,
        coalesce(stg_corpus__companies.ticker, latest_names.ticker) as known_ticker
    from latest_names
    left join stg_corpus__companies
        on latest_names.cik_int = stg_corpus__companies.cik_int

)

select
    unioned.filing_id,
    unioned.cik_int,
    coalesce(unioned.company_name, known_names.known_name) as company_name,
    coalesce(unioned.ticker, known_names.known_ticker) as ticker,
    unioned.form,
    unioned.report_year,
    unioned.fiscal_year_end,
    unioned.filing_name,
    unioned.source_file,
    unioned.source_line,
    known_names.known_name,
    known_names.known_ticker
from unioned
inner join known_names
    on unioned.cik_int = known_names.cik_int
