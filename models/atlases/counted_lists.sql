with

sentences as (

    select * from {{ ref('sentences') }}

),

int_sentences_labelled as (

    select * from {{ ref('int_sentences_labelled') }}

),

py_enumerations_found as (

    select * from {{ ref('py_enumerations_found') }}

),

-- Once, however many cues a sentence has.
cued as (

    select
        sentence_id,
        exact_hash
    from int_sentences_labelled
    where atlas = 'enumeration'
    group by sentence_id, exact_hash

)

select
    sentences.sentence_id || ':' || py_enumerations_found.list_kind as list_id,
    sentences.sentence_id,
    py_enumerations_found.list_kind,
    sentences.cik_int,
    sentences.report_year,
    sentences.filing_id,
    sentences.section_name,
    sentences.sentence_pos,
    sentences.sentence_text,
    sentences.text_hash,
    py_enumerations_found.count as n_items,
    py_enumerations_found.items,
    py_enumerations_found.lead_text,
    py_enumerations_found.is_current
from sentences
inner join cued
    on sentences.sentence_id = cued.sentence_id
inner join py_enumerations_found
    on cued.exact_hash = py_enumerations_found.text_hash
where not (sentences.is_toc or sentences.is_heading or sentences.is_table_text)
