with

sentences as (

    select * from {{ ref('sentences') }}

),

distinct_texts as (

    select
        text_hash,
        min_by(sentence_text, sentence_id) as sentence_text,
        count(*) as n_sentences
    from sentences
    group by text_hash

)

-- text_hash ignores case, so that duplicates group; what is embedded is one spelling,
-- and its vector is cached under that very spelling.
select
    text_hash,
    md5(sentence_text) as content_hash,
    sentence_text,
    n_sentences
from distinct_texts
