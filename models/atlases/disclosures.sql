with

sentences as (

    select * from {{ ref('sentences') }}

),

py_texts_labelled as (

    select * from {{ ref('py_texts_labelled') }}

)

select
    sentences.filing_id,
    py_texts_labelled.label as topic,
    sentences.cik_int,
    sentences.report_year,
    count(*) as n_sentences,
    count(told.text_hash) as n_telling_sentences,
    min(sentences.sentence_id) as first_sentence_id
from sentences
inner join py_texts_labelled
    on
        sentences.text_hash = py_texts_labelled.text_hash
        and py_texts_labelled.atlas = 'disclosure'
left join py_texts_labelled as told
    on
        sentences.text_hash = told.text_hash
        and py_texts_labelled.label = told.label
        and told.atlas = 'told'
group by
    sentences.filing_id,
    py_texts_labelled.label,
    sentences.cik_int,
    sentences.report_year
