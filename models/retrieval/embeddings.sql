with

py_texts_embedded as (

    select * from {{ ref('py_texts_embedded') }}

)

select
    encoder,
    encoder_id,
    text_hash,
    vector
from py_texts_embedded
