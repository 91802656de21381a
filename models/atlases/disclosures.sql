with

sentences as (

    select * from {{ ref('sentences') }}

),

int_sentences_labelled as (

    select * from {{ ref('int_sentences_labelled') }}

)

select
    sentences.filing_id,
    int_sentences_labelled.label as topic,
    sentences.cik_int,
    sentences.report_year,
    count(*) as n_sentences,
    count(told.sentence_id) as n_telling_sentences,
    min(sentences.sentence_id) as first_sentence_id
from sentences
inner join int_sentences_labelled
    on
        sentences.sentence_id = int_sentences_labelled.sentence_id
        and int_sentences_labelled.atlas = 'disclosure'
left join int_sentences_labelled as told
    on
        sentences.sentence_id = told.sentence_id
        and int_sentences_labelled.label = told.label
        and told.atlas = 'told'
group by
    sentences.filing_id,
    int_sentences_labelled.label,
    sentences.cik_int,
    sentences.report_year
