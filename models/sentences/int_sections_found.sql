{#- Sections with all but the words in which a search names them. -#}
with

sentences as (

    select * from {{ ref('sentences') }}

),

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

section_titles as (

    select * from {{ ref('section_titles') }}

),

texts as (

    select
        filing_id,
        cik_int,
        report_year,
        form,
        {{ unnest_structs('sections') }}
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

),

-- An item that a filing as filed names without a text of its own is a section all the
-- same.
without_text as (

    select
        {{ section_key('texts.filing_id', 'texts.item') }} as section_id,
        texts.filing_id,
        texts.cik_int,
        texts.report_year,
        texts.form,
        'ITEM_' || texts.item as section_name,
        0 as section_length,
        0 as n_characters
    from texts
    anti join measured
        on
            {{ section_key('texts.filing_id', 'texts.item') }} = measured.section_id
    where texts.status is not null

),

found as (

    select * from measured
    union all
    select * from without_text

)

select
    found.section_id,
    found.filing_id,
    found.cik_int,
    found.report_year,
    found.form,
    found.section_name,
    found.section_length,
    {{ length_bucket('found.section_length') }} as length_bucket,
    found.n_characters,
    section_titles.title as section_title,
    texts.section_text,
    texts.heading_text,
    texts.method,
    texts.status,
    texts.score,
    texts.n_candidates,
    texts.combined_with,
    {{ part_key('found.filing_id', 'texts.exhibit_part_pos') }} as exhibit_part_id,
    texts.notes
from found
left join section_titles
    on found.section_name = section_titles.section_name
-- A ready sentence table brings no section text.
left join texts
    on
        found.filing_id = texts.filing_id
        and found.section_id = {{ section_key('texts.filing_id', 'texts.item') }}
