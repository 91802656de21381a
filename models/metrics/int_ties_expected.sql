{#-
    Expected values when tied passages come in random order, in closed form
    (F. McSherry and M. Najork, "Computing information retrieval performance measures
    efficiently in the presence of tied scores", ECIR 2008). A group of ties begins at rank
    `first_tied_rank`, has n members without repeats of evidence, r of them relevant; m of its places lie within k.
-#}
with

int_rankings_graded as (

    select * from {{ ref('int_rankings_graded') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

cutoffs as (

    select distinct k
    from metric_catalogue
    where
        k > 0
        and asked_of is distinct from 'agents'

),

tie_groups as (

    select
        mode,
        system_id,
        item_id,
        unit,
        scored_first_tied_rank as first_tied_rank,
        max(scored_n_tied) as n_tied,
        count(*) as n_relevant,
        sum(grade) as grade_sum
    from int_rankings_graded
    where
        grade > 0
        and not is_repeat
    group by mode, system_id, item_id, unit, scored_first_tied_rank

),

places_within as (

    select
        tie_groups.*,
        cutoffs.k,
        least(
            tie_groups.n_tied, cutoffs.k - tie_groups.first_tied_rank + 1
        ) as n_places
    from tie_groups
    inner join cutoffs
        on tie_groups.first_tied_rank <= cutoffs.k

),

group_terms as (

    select
        mode,
        system_id,
        item_id,
        unit,
        k,
        first_tied_rank,
        cast(n_relevant * n_places as double) / n_tied as expected_found,
        -- Probability that none of the m places holds a relevant sentence.
        case
            when n_places > n_tied - n_relevant then 0.0
            else exp(
                {{ log_choose('n_tied - n_relevant', 'n_places') }}
                - {{ log_choose('n_tied', 'n_places') }}
            )
        end as miss_probability,
        cast(grade_sum as double) / n_tied * {{ sum_over_range(
            'place',
            'first_tied_rank',
            'first_tied_rank + n_places',
            '1.0 / log2(place + 1.0)'
        ) }} as expected_dcg,
        -- Sum over the place i of the first relevant sentence inside the group.
        {{ sum_over_range(
            'i',
            '0',
            'least(n_places, n_tied - n_relevant + 1)',
            'exp('
            ~ log_choose('n_tied - i - 1', 'n_relevant - 1') ~ ' - '
            ~ log_choose('n_tied', 'n_relevant')
            ~ ') / (first_tied_rank + i)'
        ) }} as expected_reciprocal_rank
    from places_within

)

select
    mode,
    system_id,
    item_id,
    unit,
    k,
    {{ exact_sum('expected_found') }} as expected_found,
    {{ exact_sum('expected_dcg') }} as expected_dcg,
    -- Groups stand in order: a later one only matters if every earlier one missed, and
    -- an earlier group that lies wholly within k cannot miss.
    round(1.0 - min(miss_probability), 12) as expected_hit,
    round(min_by(expected_reciprocal_rank, first_tied_rank), 12)
        as expected_reciprocal_rank
from group_terms
group by mode, system_id, item_id, unit, k
