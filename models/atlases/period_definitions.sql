with

sentences as (

    select * from {{ ref('sentences') }}

),

int_sentences_labelled as (

    select * from {{ ref('int_sentences_labelled') }}

),

py_periods_found as (

    select * from {{ ref('py_periods_found') }}

),

-- Once, however many cues a sentence has.
cued as (

    select
        sentence_id,
        exact_hash
    from int_sentences_labelled
    where atlas = 'period'
    group by sentence_id, exact_hash

)

select
    sentences.sentence_id || ':' || py_periods_found.period_label as period_id,
    sentences.sentence_id,
    py_periods_found.period_label,
    py_periods_found.label_year,
    cast(py_periods_found.end_date as date) as end_date,
    py_periods_found.end_year,
    sentences.cik_int,
    sentences.report_year,
    sentences.filing_id,
    sentences.section_name,
    sentences.sentence_pos,
    sentences.sentence_text,
    sentences.text_hash
from sentences
inner join cued
    on sentences.sentence_id = cued.sentence_id
inner join py_periods_found
    on cued.exact_hash = py_periods_found.text_hash
where not (sentences.is_toc or sentences.is_heading or sentences.is_table_text)
