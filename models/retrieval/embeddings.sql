with

py_texts_embedded as (

    select * from {{ ref('py_texts_embedded') }}

),

int_texts_distinct as (

    select * from {{ ref('int_texts_distinct') }}

)

select
    py_texts_embedded.encoder,
    py_texts_embedded.encoder_id,
    int_texts_distinct.text_hash,
    py_texts_embedded.vector
from py_texts_embedded
inner join int_texts_distinct
    on py_texts_embedded.content_hash = int_texts_distinct.content_hash
