with

answer_claims as (

    select * from {{ ref('answer_claims') }}

)

-- What is inferred follows from what is cited.
select
    system_id,
    item_id,
    count(*) filter (where claim_kind = 'sentence') as n_sentences,
    count(*) filter (
        where claim_kind = 'sentence' and support <> 'unsupported'
    ) as n_sentences_supported,
    count(*) filter (where claim_kind = 'number') as n_numbers,
    count(*) filter (
        where claim_kind = 'number' and support <> 'unsupported'
    ) as n_numbers_supported,
    count(*) filter (where claim_kind = 'quote') as n_quotes,
    count(*) filter (
        where claim_kind = 'quote' and support <> 'unsupported'
    ) as n_quotes_supported
from answer_claims
group by system_id, item_id
