with

int_sentences_flagged as (

    select * from {{ ref('int_sentences_flagged') }}

),

int_texts_repeated as (

    select * from {{ ref('int_texts_repeated') }}

)

select
    int_sentences_flagged.sentence_id,
    int_sentences_flagged.section_id,
    int_sentences_flagged.filing_id,
    int_sentences_flagged.cik_int,
    int_sentences_flagged.company_name,
    int_sentences_flagged.ticker,
    int_sentences_flagged.form,
    int_sentences_flagged.report_year,
    int_sentences_flagged.fiscal_year_end,
    int_sentences_flagged.section_name,
    int_sentences_flagged.section_length,
    int_sentences_flagged.sentence_pos,
    int_sentences_flagged.sentence_text,
    int_sentences_flagged.char_start,
    int_sentences_flagged.char_end,
    int_sentences_flagged.text_hash,
    int_sentences_flagged.token_count,
    int_sentences_flagged.is_toc,
    int_sentences_flagged.is_heading,
    int_sentences_flagged.is_table_text,
    int_sentences_flagged.is_navigational,
    int_sentences_flagged.is_exhibit,
    coalesce(int_texts_repeated.n_sentences, 1) as duplicate_group_size
from int_sentences_flagged
left join int_texts_repeated
    on int_sentences_flagged.text_hash = int_texts_repeated.text_hash
