with

py_texts_labelled as (

    select * from {{ ref('py_texts_labelled') }}

),

int_texts_to_label as (

    select * from {{ ref('int_texts_to_label') }}

),

atlases as (

    select distinct
        text_hash,
        atlas
    from py_texts_labelled
    where atlas in ('definition', 'verification', 'enumeration', 'period')

)

select
    atlases.text_hash,
    atlases.atlas,
    int_texts_to_label.sentence_text
from atlases
inner join int_texts_to_label
    on atlases.text_hash = int_texts_to_label.text_hash
