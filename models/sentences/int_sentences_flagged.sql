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

),

measured as (

    select
        *,
        md5(lower(sentence_text)) as text_hash,
        {{ regex_count('sentence_text', 'token') }} as token_count,
        {{ regex_count('sentence_text', 'number') }} as number_count,
        {{ regex_count('sentence_text', 'word') }} as word_count,
        {{ matches_any('sentence_text', 'toc_line') }} as is_toc_line,
        {{ matches_any('sentence_text', 'navigational') }} as has_reference,
        {{ regex_is('sentence_text', 'page_furniture') }} as is_page_furniture,
        {{ regex_is('sentence_text', 'item_heading') }} as starts_with_item,
        {{ regex_is('sentence_text', 'number_end') }} as ends_with_number,
        {{ regex_is('sentence_text', 'sentence_end') }} as has_sentence_end
    from unioned

),

typed as (

    select
        *,
        -- Numbers outweigh words, or a label is followed by its numbers: a row of a
        -- table that was flattened to text.
        (
            number_count >= 2
            and (
                number_count >= word_count
                or (ends_with_number and not has_sentence_end)
            )
            and not starts_with_item
            and not is_page_furniture
        ) as is_table_text
    from measured

)

select
    sentence_id,
    section_id,
    filing_id,
    cik_int,
    form,
    report_year,
    item,
    sentence_pos,
    sentence_text,
    char_start,
    char_end,
    text_hash,
    token_count,
    is_toc_line,
    -- A line that names an item and no sentence: a table of contents has many, a
    -- section one.
    (is_toc_line or (starts_with_item and word_count <= 16)) as is_item_line,
    is_table_text,
    (
        is_page_furniture
        or (starts_with_item and word_count <= 24 and not has_reference)
        or (
            not is_table_text
            and word_count between 1 and 14
            and length(sentence_text) <= 120
            and (
                sentence_text = upper(sentence_text)
                or (
                    not has_sentence_end
                    and upper(left(sentence_text, 1)) = left(sentence_text, 1)
                )
            )
        )
    ) as is_heading,
    -- A pointer elsewhere or an empty answer; a long sentence that points is text.
    (has_reference and word_count <= 45) as is_navigational
from typed
