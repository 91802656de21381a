{#-
    Texts that stand more than once in the corpus, whatever the company. The rest, most of
    them, are known by not being here.
-#}
with

int_sentences_flagged as (

    select * from {{ ref('int_sentences_flagged') }}

)

select
    text_hash,
    count(*) as n_sentences
from int_sentences_flagged
group by text_hash
having count(*) > 1
