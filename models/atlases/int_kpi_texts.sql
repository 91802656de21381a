with

py_texts_labelled as (

    select * from {{ ref('py_texts_labelled') }}

),

int_texts_to_label as (

    select * from {{ ref('int_texts_to_label') }}

)

select
    py_texts_labelled.text_hash,
    py_texts_labelled.label as kpi_label,
    int_texts_to_label.sentence_text
from py_texts_labelled
inner join int_texts_to_label
    on py_texts_labelled.text_hash = int_texts_to_label.text_hash
where py_texts_labelled.atlas = 'kpi'
