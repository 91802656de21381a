with

int_chunks_cut as (

    select * from {{ ref('int_chunks_cut') }}

),

companies as (

    select * from {{ ref('companies') }}

),

section_titles as (

    select * from {{ ref('section_titles') }}

),

headed as (

    select
        int_chunks_cut.*,
        concat(
            '[COMPANY: ',
            companies.display_name,
            ' | FILING: ',
            concat_ws(' ', int_chunks_cut.form, int_chunks_cut.report_year),
            ' | SECTION: ',
            coalesce(section_titles.title, int_chunks_cut.section_name),
            '] ',
            int_chunks_cut.sentences_text
        ) as chunk_text
    from int_chunks_cut
    left join companies
        on int_chunks_cut.cik_int = companies.cik_int
    left join section_titles
        on int_chunks_cut.section_name = section_titles.section_name

)

select
    chunk_id,
    section_id,
    filing_id,
    cik_int,
    report_year,
    section_name,
    chunk_pos,
    first_sentence_pos,
    last_sentence_pos,
    n_sentences,
    token_count,
    chunk_text,
    md5(chunk_text) as chunk_hash
from headed
