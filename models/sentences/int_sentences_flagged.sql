{#-
    Sentences of the filings with their place and flags: all of a sentence that its company's
    own filings tell. The door adds what only the whole corpus tells.
-#}
with

py_sentences_split as (

    select * from {{ ref('py_sentences_split') }}

),

stg_corpus__sentences as (

    select * from {{ ref('stg_corpus__sentences') }}

),

int_filings_named as (

    select * from {{ ref('int_filings_named') }}

),

-- A ready sentence keeps its own id.
unioned as (

    select
        {{ section_key('filing_id', 'item') }} || '_' || sentence_pos as sentence_id,
        filing_id,
        item,
        sentence_pos,
        sentence_text,
        char_start,
        char_end,
        line_kind
    from py_sentences_split

    union all

    select
        sentence_id,
        {{ filing_key('cik_int', 'form', 'report_year') }} as filing_id,
        item,
        sentence_pos,
        sentence_text,
        char_start,
        char_end,
        cast(null as varchar) as line_kind
    from stg_corpus__sentences

),

measured as (

    select
        *,
        {{ section_key('filing_id', 'item') }} as section_id,
        md5(lower(sentence_text)) as text_hash,
        {{ regex_count('sentence_text', 'token') }} as token_count,
        {{ regex_count('sentence_text', 'number') }} as number_count,
        {{ matches_any('sentence_text', 'toc_line') }} as is_toc_line,
        {{ matches_any('sentence_text', 'navigational') }} as has_reference,
        {{ regex_is('sentence_text', 'page_furniture') }} as is_page_furniture,
        {{ regex_is('sentence_text', 'item_heading') }} as starts_with_item,
        {{ regex_is('sentence_text', 'number_end') }} as ends_with_number,
        {{ regex_is('sentence_text', 'sentence_end') }} as has_sentence_end,
        {{ regex_is('sentence_text', 'has_word') }} as has_word,
        {{ regex_is('sentence_text', 'title_case') }} as is_title_case,
        case
            when item = '15'
                then nullif(regexp_extract(
                    sentence_text,
                    {{ sql_literal(var('regexes')['exhibit_title']) }},
                    1
                ), '')
        end as exhibit_title
    from unioned

),

-- Words are counted only where their number decides something; of other sentences it
-- is null.
counted as (

    select
        *,
        case
            when
                starts_with_item
                or has_reference
                or number_count >= 2
                or length(sentence_text) <= 120
                then {{ regex_count('sentence_text', 'word') }}
        end as word_count
    from measured

),

typed as (

    select
        *,
        -- A line that names an item and no sentence: a table of contents has many, a
        -- section one.
        (is_toc_line or (starts_with_item and word_count <= 16)) as is_item_line,
        -- Where the layout of a filing is known, its lines say what they are. Else,
        -- where numbers outweigh words or a label is followed by its numbers, it is a
        -- row of a table that was flattened to text. So are marks and numbers without a
        -- word.
        case when line_kind is not null then line_kind = 'r' else (
            (
                number_count >= 2
                and (
                    number_count >= word_count
                    or (ends_with_number and not has_sentence_end)
                )
                or not has_word
            )
            and not starts_with_item
            and not is_page_furniture
        ) end as is_table_text
    from counted

),

-- Windows, not joins: who asks for the hashes alone pays for no other column.
placed as (

    select
        *,
        count(*) over whole_section as section_length,
        -- The exhibit whose text this is: the last one that a line announces.
        last_value(exhibit_title ignore nulls) over section_so_far as exhibit_no,
        count(*) filter (where is_item_line) over nearby as n_item_lines_near
    from typed
    window
        whole_section as (
            partition by section_id
            order by sentence_pos
            rows between unbounded preceding and unbounded following
        ),
        section_so_far as (
            partition by section_id
            order by sentence_pos
            rows between unbounded preceding and current row
        ),
        nearby as (
            partition by section_id
            order by sentence_pos
            range between 6 preceding and 6 following
        )

),

flagged as (

    select
        *,
        -- Dense runs of item lines are a table of contents; one item line alone is a
        -- heading.
        coalesce(
            line_kind = 't',
            is_toc_line or (is_item_line and n_item_lines_near >= 3)
        ) as is_toc,
        case when line_kind is not null then line_kind = 'h' else (
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
                    or (is_title_case and not has_reference)
                )
            )
        ) end as is_heading,
        -- A pointer elsewhere or an empty answer; a long sentence that points is text.
        (has_reference and word_count <= 45) as is_navigational,
        -- Exhibit 13 is the annual report itself.
        coalesce(exhibit_no <> '13' and not starts_with(exhibit_no, '13.'), false)
            as is_exhibit
    from placed

)

select
    flagged.sentence_id,
    flagged.section_id,
    flagged.filing_id,
    int_filings_named.cik_int,
    int_filings_named.company_name,
    int_filings_named.ticker,
    int_filings_named.form,
    int_filings_named.report_year,
    int_filings_named.fiscal_year_end,
    'ITEM_' || flagged.item as section_name,
    flagged.section_length,
    flagged.sentence_pos,
    flagged.sentence_text,
    flagged.char_start,
    flagged.char_end,
    flagged.text_hash,
    flagged.token_count,
    flagged.is_toc,
    flagged.is_heading,
    flagged.is_table_text,
    flagged.is_navigational,
    flagged.is_exhibit
from flagged
inner join int_filings_named
    on flagged.filing_id = int_filings_named.filing_id
