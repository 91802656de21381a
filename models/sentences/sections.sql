with

sentences as (

    select * from {{ ref('sentences') }}

),

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

companies as (

    select * from {{ ref('companies') }}

),

section_titles as (

    select * from {{ ref('section_titles') }}

),

texts as (

    select
        filing_id,
        {{ unnest_sections('sections') }}
    from stg_corpus__filings

),

measured as (

    select
        section_id,
        filing_id,
        cik_int,
        report_year,
        form,
        section_name,
        section_length,
        cast(sum(length(sentence_text)) as bigint) as n_characters
    from sentences
    group by
        section_id, filing_id, cik_int, report_year, form, section_name, section_length

)

select
    measured.section_id,
    measured.filing_id,
    measured.cik_int,
    measured.report_year,
    measured.section_name,
    measured.section_length,
    {{ length_bucket('measured.section_length') }} as length_bucket,
    measured.n_characters,
    section_titles.title as section_title,
    concat_ws(
        ' ',
        companies.display_name,
        measured.report_year,
        measured.form,
        section_titles.title
    ) as context_text,
    texts.section_text
from measured
left join companies
    on measured.cik_int = companies.cik_int
left join section_titles
    on measured.section_name = section_titles.section_name
-- A ready sentence table brings no section text.
left join texts
    on
        measured.filing_id = texts.filing_id
        and measured.section_id = {{ section_key('texts.filing_id', 'texts.item') }}
