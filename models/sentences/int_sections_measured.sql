with

int_sentences_flagged as (

    select * from {{ ref('int_sentences_flagged') }}

)

select
    section_id,
    filing_id,
    item,
    count(*) as section_length,
    cast(sum(length(sentence_text)) as bigint) as n_characters
from int_sentences_flagged
group by section_id, filing_id, item
