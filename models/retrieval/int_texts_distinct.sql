with

sentences as (

    select * from {{ ref('sentences') }}

)

select
    text_hash,
    min_by(sentence_text, sentence_id) as sentence_text,
    count(*) as n_sentences
from sentences
group by text_hash
