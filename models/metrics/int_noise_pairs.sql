{#-
    Noise for the distances: each anchor with the anchors that follow it in a seeded
    circle, from other filings.
-#}
with

anchors as (

    select * from {{ ref('anchors') }}

),

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

)

select
    circle.item_id,
    circle.gold_set,
    circle.text_hash as anchor_text_hash,
    partners.text_hash as partner_text_hash
from circle
cross join steps
inner join circle as partners
    on
        circle.gold_set = partners.gold_set
        and (circle.place + steps.step - 1) % circle.n_places + 1 = partners.place
where circle.filing_id <> partners.filing_id
