{#-
    How far Hit@k of frozen anchors falls by the number of sentences alone, for k of 1, 3, 5
    and 10: what it is now, less what would be expected if as many of today's sentences as the
    corpus had at the freeze were drawn at random beside the gold. With N sentences that are
    neither anchor nor gold, n of them drawn, and a of them above the first gold, the number
    above it that is drawn is hypergeometric; a hit needs fewer than k. Gold below the depth of
    the ranking counts as never found. A search inside the section of the anchor meets no
    sentence of another filing.
-#}
with

anchors as (

    select *
    from {{ ref('anchors') }}
    where frozen_among is not null

),

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

py_rankings_scored as (

    select *
    from {{ ref('py_rankings_scored') }}
    where
        mode = 'finrag'
        and unit = 'sentence'

),

retrieval_outcomes as (

    select *
    from {{ ref('retrieval_outcomes') }}
    where
        unit = 'sentence'
        and outcome = 'ranked'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

corpus as (

    select count(*) as n_sentences
    from sentences

),

populations as (

    select
        anchors.item_id,
        corpus.n_sentences - 1 - int_items_graded.n_relevant as n_now,
        anchors.frozen_among - 1 - int_items_graded.n_relevant as n_then
    from anchors
    inner join int_items_graded
        on anchors.item_id = int_items_graded.item_id
    cross join corpus
    where int_items_graded.n_relevant > 0

),

found as (

    select
        retrieval_outcomes.system_id,
        populations.item_id,
        max(populations.n_now) as n_now,
        max(populations.n_then) as n_then,
        min(py_rankings_scored.first_rank) - 1 as n_above
    from populations
    inner join retrieval_outcomes
        on populations.item_id = retrieval_outcomes.item_id
    left join py_rankings_scored
        on
            retrieval_outcomes.system_id = py_rankings_scored.system_id
            and populations.item_id = py_rankings_scored.item_id
    group by retrieval_outcomes.system_id, populations.item_id

),

cutoffs as (

    select unnest([1, 3, 5, 10]) as k

),

numbers as (

    select unnest(range(10)) as n_drawn

),

-- Of the terms of the hypergeometric distribution only those that can be.
terms as (

    select
        found.*,
        cutoffs.k,
        numbers.n_drawn
    from found
    cross join cutoffs
    inner join numbers
        on
            cutoffs.k > numbers.n_drawn
            and found.n_above >= numbers.n_drawn
            and found.n_then >= numbers.n_drawn
            and found.n_now - found.n_above >= found.n_then - numbers.n_drawn

),

chances as (

    select
        system_id,
        item_id,
        k,
        sum(exp(
            {{ log_choose('n_above', 'n_drawn') }}
            + {{ log_choose('n_now - n_above', 'n_then - n_drawn') }}
            - {{ log_choose('n_now', 'n_then') }}
        )) as chance
    from terms
    where n_then <= n_now
    group by system_id, item_id, k

),

measured as (

    select
        found.system_id,
        cutoffs.k,
        avg(cast(coalesce(found.n_above < cutoffs.k, false) as double)) as hit_now,
        avg(coalesce(chances.chance, 0)) as hit_then,
        bool_and(found.n_then <= found.n_now) as has_grown
    from found
    cross join cutoffs
    left join chances
        on
            found.system_id = chances.system_id
            and found.item_id = chances.item_id
            and cutoffs.k = chances.k
    group by found.system_id, cutoffs.k

)

select
    measured.system_id,
    measured.k,
    case registered_systems.regime
        when 'filtered' then 0.0
        when 'open' then round(measured.hit_now - measured.hit_then, 6)
    end as growth_change
from measured
inner join registered_systems
    on measured.system_id = registered_systems.system_id
where measured.has_grown
