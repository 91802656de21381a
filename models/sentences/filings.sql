with

int_filings_named as (

    select * from {{ ref('int_filings_named') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

sizes as (

    select
        filing_id,
        count(distinct section_id) as n_sections,
        count(*) as n_sentences,
        cast(sum(length(sentence_text)) as bigint) as n_characters
    from sentences
    group by filing_id

)

select
    int_filings_named.filing_id,
    int_filings_named.cik_int,
    int_filings_named.company_name,
    int_filings_named.ticker,
    int_filings_named.form,
    int_filings_named.report_year,
    int_filings_named.fiscal_year_end,
    int_filings_named.filing_name,
    int_filings_named.source_file,
    int_filings_named.source_line,
    coalesce(sizes.n_sections, 0) as n_sections,
    coalesce(sizes.n_sentences, 0) as n_sentences,
    coalesce(sizes.n_characters, 0) as n_characters
from int_filings_named
left join sizes
    on int_filings_named.filing_id = sizes.filing_id
