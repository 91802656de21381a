with

runs as (

    select * from {{ ref('runs') }}

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

item_slices as (

    select * from {{ ref('item_slices') }}

),

-- Noise: each anchor with those that follow it in a seeded circle, from other filings.
circle as (

    select
        item_id,
        gold_set,
        filing_id,
        text_hash,
        row_number() over (
            partition by gold_set
            order by {{ seeded_order('item_id', 'noise') }}, item_id
        ) as place,
        count(*) over (partition by gold_set) as n_places
    from anchors

),

steps as (

    select cast(generate_series as integer) as step
    from generate_series(1, {{ var('noise_pairs_per_anchor') | int }})

),

noise as (

    select
        circle.gold_set,
        circle.item_id,
        circle.text_hash as anchor_text_hash,
        partners.text_hash as partner_text_hash
    from circle
    cross join steps
    inner join circle as partners
        on
            circle.gold_set = partners.gold_set
            and (circle.place + steps.step - 1) % circle.n_places + 1
            = partners.place
    where circle.filing_id <> partners.filing_id

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
    from noise

),

-- Materialized to fix the order of joins: in another, each text would meet each text.
anchored as materialized (

    select
        embeddings.encoder,
        pairs.gold_set,
        pairs.item_id,
        pairs.population,
        pairs.partner_text_hash,
        embeddings.vector as anchor_vector
    from pairs
    inner join embeddings
        on pairs.anchor_text_hash = embeddings.text_hash
    where {{ is_unit_vector('embeddings.vector') }}

),

distances as (

    select
        anchored.encoder,
        anchored.gold_set,
        anchored.item_id,
        anchored.population,
        {{ cosine_distance('anchored.anchor_vector', 'partners.vector') }} as distance
    from anchored
    inner join embeddings as partners
        on
            anchored.partner_text_hash = partners.text_hash
            and anchored.encoder = partners.encoder
    where {{ is_unit_vector('partners.vector') }}

),

profiled as (

    select
        distances.encoder,
        distances.gold_set,
        distances.population,
        item_slices.slice_name,
        item_slices.slice_value,
        count(*) as n_pairs,
        round(quantile_cont(distances.distance, 0.05), 6) as p05,
        round(quantile_cont(distances.distance, 0.25), 6) as p25,
        round(quantile_cont(distances.distance, 0.50), 6) as p50,
        round(quantile_cont(distances.distance, 0.75), 6) as p75,
        round(quantile_cont(distances.distance, 0.90), 6) as p90,
        round(quantile_cont(distances.distance, 0.95), 6) as p95
    from distances
    inner join item_slices
        on distances.item_id = item_slices.item_id
    where item_slices.slice_name in ('overall', 'length_bucket', 'section')
    group by
        distances.encoder,
        distances.gold_set,
        distances.population,
        item_slices.slice_name,
        item_slices.slice_value

)

select
    md5(concat_ws(
        '|',
        profiled.encoder,
        profiled.gold_set,
        profiled.population,
        profiled.slice_name,
        profiled.slice_value
    )) as profile_id,
    runs.run_id,
    profiled.encoder,
    profiled.gold_set,
    profiled.population,
    profiled.slice_name,
    profiled.slice_value,
    profiled.n_pairs,
    profiled.p05,
    profiled.p25,
    profiled.p50,
    profiled.p75,
    profiled.p90,
    profiled.p95
from profiled
cross join runs
