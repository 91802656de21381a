{#- A public set brings its own documents: each is a corpus beside the filings. -#}
with

filings as (

    select * from {{ ref('filings') }}

),

stg_benchmarks__passages as (

    select * from {{ ref('stg_benchmarks__passages') }}

),

contexts as (

    select
        benchmark,
        document_id,
        min(document_key) as name_key,
        min(document_words) as name_words,
        min(title) as title,
        min(company_name) as company_name
    from stg_benchmarks__passages
    group by benchmark, document_id

),

loaded as (

    select
        filing_id as document_id,
        'filings' as corpus_id,
        filing_id as document_name,
        lower(filing_id) as name_key,
        [lower(filing_id)] as name_words,
        concat_ws(' ', company_name, form, report_year) as title,
        form as doc_type,
        cik_int,
        form,
        report_year,
        company_name,
        list_filter(
            [report_year, cast(extract(year from fiscal_year_end) as integer)],
            lambda one: one is not null
        ) as years
    from filings

    union all

    select
        {{ set_key('benchmark', 'document_id') }} as document_id,
        benchmark as corpus_id,
        document_id as document_name,
        name_key,
        name_words,
        title,
        'context' as doc_type,
        cast(null as bigint) as cik_int,
        cast(null as varchar) as form,
        cast(null as integer) as report_year,
        coalesce(company_name, title) as company_name,
        -- A year of the name is the year that the document is of: ACME_2023_10K.
        list_transform(
            list_filter(
                regexp_split_to_array(document_id, '[^0-9]+'),
                lambda one: regexp_full_match(one, '(19|20)[0-9]{2}')
            ),
            lambda one: cast(one as integer)
        ) as years
    from contexts

)

select
    *,
    count(*) over (partition by corpus_id, name_key) = 1 as is_key_unique
from loaded
