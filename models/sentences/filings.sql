with

int_filings_unioned as (

    select * from {{ ref('int_filings_unioned') }}

),

companies as (

    select * from {{ ref('companies') }}

),

int_sections_measured as (

    select * from {{ ref('int_sections_measured') }}

),

sizes as (

    select
        filing_id,
        count(*) as n_sections,
        cast(sum(section_length) as bigint) as n_sentences,
        cast(sum(n_characters) as bigint) as n_characters
    from int_sections_measured
    group by filing_id

)

select
    int_filings_unioned.filing_id,
    int_filings_unioned.cik_int,
    coalesce(int_filings_unioned.company_name, companies.company_name) as company_name,
    coalesce(int_filings_unioned.ticker, companies.ticker) as ticker,
    int_filings_unioned.form,
    int_filings_unioned.report_year,
    int_filings_unioned.fiscal_year_end,
    int_filings_unioned.filing_name,
    int_filings_unioned.source_file,
    int_filings_unioned.source_line,
    coalesce(sizes.n_sections, 0) as n_sections,
    coalesce(sizes.n_sentences, 0) as n_sentences,
    coalesce(sizes.n_characters, 0) as n_characters
from int_filings_unioned
inner join companies
    on int_filings_unioned.cik_int = companies.cik_int
left join sizes
    on int_filings_unioned.filing_id = sizes.filing_id
