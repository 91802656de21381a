with

py_sentences_split as (

    select * from {{ ref('py_sentences_split') }}

),

int_sections_exploded as (

    select * from {{ ref('int_sections_exploded') }}

),

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

stg_corpus__sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

),

split_here as (

    select
        py_sentences_split.section_id
        || '_'
        || py_sentences_split.sentence_pos as sentence_id,
        py_sentences_split.section_id,
        int_sections_exploded.filing_id,
        stg_corpus__filings.cik_int,
        stg_corpus__filings.form,
        stg_corpus__filings.report_year,
        int_sections_exploded.item,
        py_sentences_split.sentence_pos,
        py_sentences_split.sentence_text,
        py_sentences_split.char_start,
        py_sentences_split.char_end
    from py_sentences_split
    inner join int_sections_exploded
        on py_sentences_split.section_id = int_sections_exploded.section_id
    inner join stg_corpus__filings
        on int_sections_exploded.filing_id = stg_corpus__filings.filing_id

),

ready as (

    select
        sentence_id,
        {{ section_key(filing_key('cik_int', 'form', 'report_year'), 'item') }}
            as section_id,
        {{ filing_key('cik_int', 'form', 'report_year') }} as filing_id,
        cik_int,
        form,
        report_year,
        item,
        sentence_pos,
        sentence_text,
        char_start,
        char_end
    from stg_corpus__sentences

),

unioned as (

    select * from split_here
    union all
    select * from ready

)

select * from unioned
