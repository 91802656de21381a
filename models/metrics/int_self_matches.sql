with

rankings as (

    select
        *,
        passage_id as sentence_id
    from {{ ref('rankings') }}
    where unit = 'sentence'

),

anchors as (

    select * from {{ ref('anchors') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

first_ranked as (

    select
        system_id,
        item_id,
        sentence_id
    from rankings
    where rank = 1

)

select
    first_ranked.system_id,
    first_ranked.item_id,
    first_ranked.sentence_id = anchors.sentence_id as is_self,
    sentences.text_hash = anchors.text_hash as is_same_text
from first_ranked
inner join anchors
    on first_ranked.item_id = anchors.item_id
inner join sentences
    on first_ranked.sentence_id = sentences.sentence_id
