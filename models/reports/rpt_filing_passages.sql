{#-
    The sentences of filings that have a page, in order. Of a very long filing what lies beyond
    the variable filing_characters_shown is left out, unless it is marked.
-#}
with

rpt_filings as (

    select *
    from {{ ref('rpt_filings') }}
    where page_id is not null

),

sections as (

    select * from {{ ref('sections') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

table_cells as (

    select *
    from {{ ref('table_cells') }}
    where sentence_id is not null

),

int_tables_shown as (

    select * from {{ ref('int_tables_shown') }}

),

int_filing_marks as (

    select * from {{ ref('int_filing_marks') }}

),

marked as (

    select sentence_id
    from int_filing_marks
    group by sentence_id

),

tabled as (

    select
        table_cells.sentence_id,
        min(table_cells.table_id) as table_id
    from table_cells
    inner join int_tables_shown
        on table_cells.table_id = int_tables_shown.table_id
    group by table_cells.sentence_id

),

sections_placed as (

    select
        sections.section_id,
        rpt_filings.page_id,
        rpt_filings.filing_id,
        sections.section_name,
        sections.section_title,
        row_number() over (
            partition by sections.filing_id
            -- 2 stands before 10, and part I before part II.
            order by
                length(regexp_extract(sections.section_name, '^[^0-9]*')),
                try_cast(
                    regexp_extract(sections.section_name, '[0-9]+') as integer
                ),
                sections.section_name
        ) as section_pos
    from sections
    inner join rpt_filings
        on sections.filing_id = rpt_filings.filing_id

)

select
    sections_placed.page_id,
    cast(sections_placed.section_pos as integer) as section_pos,
    replace(sections_placed.section_name, '_', ' ') as section_text,
    sections_placed.section_title,
    {{ filing_anchor('sections_placed.section_name') }} as section_anchor,
    sentences.sentence_pos,
    {{ filing_anchor('sections_placed.section_name', 'sentences.sentence_pos') }}
        as anchor,
    sentences.sentence_id as passage_id,
    sentences.sentence_text as passage_text,
    sentences.is_heading,
    sentences.is_table_text,
    tabled.table_id
from sections_placed
inner join sentences
    on sections_placed.section_id = sentences.section_id
left join tabled
    on sentences.sentence_id = tabled.sentence_id
left join marked
    on sentences.sentence_id = marked.sentence_id
qualify
    marked.sentence_id is not null
    or sum(length(sentences.sentence_text)) over (
        partition by sections_placed.page_id
        order by sections_placed.section_pos, sentences.sentence_pos
    ) <= {{ var('filing_characters_shown') }}
order by
    sections_placed.page_id, sections_placed.section_pos, sentences.sentence_pos
