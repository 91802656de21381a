with

int_noise_pairs as (

    select * from {{ ref('int_noise_pairs') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

embeddings as (

    select * from {{ ref('embeddings') }}

),

pairs as (

    select
        judgments.gold_set,
        judgments.item_id,
        'gold' as population,
        anchors.text_hash as anchor_text_hash,
        sentences.text_hash as partner_text_hash
    from judgments
    inner join anchors
        on judgments.item_id = anchors.item_id
    inner join sentences
        on judgments.passage_id = sentences.sentence_id
    where judgments.grade > 0

    union all

    select
        gold_set,
        item_id,
        'noise' as population,
        anchor_text_hash,
        partner_text_hash
    from int_noise_pairs

)

select
    embeddings.encoder,
    pairs.gold_set,
    pairs.item_id,
    pairs.population,
    {{ cosine_distance('embeddings.vector', 'partners.vector') }} as distance
from pairs
inner join embeddings
    on pairs.anchor_text_hash = embeddings.text_hash
inner join embeddings as partners
    on
        pairs.partner_text_hash = partners.text_hash
        and embeddings.encoder = partners.encoder
where
    {{ is_unit_vector('embeddings.vector') }}
    and {{ is_unit_vector('partners.vector') }}
