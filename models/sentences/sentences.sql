with

int_sentences_flagged as (

    select * from {{ ref('int_sentences_flagged') }}

),

int_filings_named as (

    select * from {{ ref('int_filings_named') }}

),

section_lengths as (

    select
        section_id,
        count(*) as section_length
    from int_sentences_flagged
    group by section_id

),

text_groups as (

    select
        text_hash,
        count(*) as duplicate_group_size
    from int_sentences_flagged
    group by text_hash

),

-- Dense runs of item lines are a table of contents; one item line alone is a heading.
item_line_neighbourhoods as (

    select
        sentence_id,
        count(*) over (
            partition by section_id
            order by sentence_pos
            range between 6 preceding and 6 following
        ) as n_item_lines_near
    from int_sentences_flagged
    where is_item_line

)

select
    int_sentences_flagged.sentence_id,
    int_sentences_flagged.section_id,
    int_sentences_flagged.filing_id,
    int_sentences_flagged.cik_int,
    int_filings_named.company_name,
    int_filings_named.ticker,
    int_sentences_flagged.form,
    int_sentences_flagged.report_year,
    int_filings_named.fiscal_year_end,
    'ITEM_' || int_sentences_flagged.item as section_name,
    section_lengths.section_length,
    int_sentences_flagged.sentence_pos,
    int_sentences_flagged.sentence_text,
    int_sentences_flagged.char_start,
    int_sentences_flagged.char_end,
    int_sentences_flagged.text_hash,
    int_sentences_flagged.token_count,
    (
        int_sentences_flagged.is_toc_line
        or coalesce(item_line_neighbourhoods.n_item_lines_near >= 3, false)
    ) as is_toc,
    int_sentences_flagged.is_heading,
    int_sentences_flagged.is_table_text,
    int_sentences_flagged.is_navigational,
    text_groups.duplicate_group_size
from int_sentences_flagged
inner join int_filings_named
    on int_sentences_flagged.filing_id = int_filings_named.filing_id
inner join section_lengths
    on int_sentences_flagged.section_id = section_lengths.section_id
inner join text_groups
    on int_sentences_flagged.text_hash = text_groups.text_hash
left join item_line_neighbourhoods
    on int_sentences_flagged.sentence_id = item_line_neighbourhoods.sentence_id
