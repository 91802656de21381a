{#- Documents and pages that answers cite or rankings list. -#}
with

stg_predictions as (

    select * from {{ ref('stg_predictions') }}

),

cited as (

    select
        gold_set as corpus_id,
        {{ unnest_structs('citations') }}
    from stg_predictions
    where gold_set is not null

),

ranked as (

    select
        gold_set as corpus_id,
        {{ unnest_structs('sources') }}
    from stg_predictions
    where gold_set is not null

)

select
    corpus_id,
    document,
    document_key,
    page
from cited
where document is not null

union

select
    corpus_id,
    document,
    document_key,
    page
from ranked
where document is not null
