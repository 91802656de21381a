with

int_evidence_ranks as (

    select * from {{ ref('int_evidence_ranks') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

cutoffs as (

    select distinct k
    from metric_catalogue
    where
        k > 0
        and (
            metric in ('evidence_recall', 'evidence_complete', 'operands_retrieved')
            or unit = 'any'
        )
        and asked_of is distinct from 'agents'

),

places_within as (

    select
        int_evidence_ranks.*,
        cutoffs.k,
        least(
            int_evidence_ranks.n_tied,
            cutoffs.k - int_evidence_ranks.first_tied_rank + 1
        ) as n_places
    from int_evidence_ranks
    inner join cutoffs
        on int_evidence_ranks.first_tied_rank <= cutoffs.k

),

with_chances as (

    select
        *,
        -- Probability that none of the m places holds one of the alternatives.
        case
            when n_places > n_tied - n_alternatives then 0.0
            else exp(
                {{ log_choose('n_tied - n_alternatives', 'n_places') }}
                - {{ log_choose('n_tied', 'n_places') }}
            )
        end as miss_probability
    from places_within

),

by_unit as (

    select
        mode,
        system_id,
        item_id,
        evidence_kind,
        unit,
        k,
        cast(count(*) filter (where rank <= k) as double) as n_found,
        cast(count(*) filter (where rank_best <= k) as double) as n_found_best,
        cast(count(*) filter (where rank_worst <= k) as double) as n_found_worst,
        {{ exact_sum('1.0 - miss_probability') }} as expected_found,
        1.0 / min(case when rank <= k then rank end) as reciprocal_rank,
        1.0 / min(case when rank_best <= k then rank_best end)
            as reciprocal_rank_best,
        1.0 / min(case when rank_worst <= k then rank_worst end)
            as reciprocal_rank_worst
    from with_chances
    group by mode, system_id, item_id, evidence_kind, unit, k

),

-- Pieces that share some passages are counted as if they shared none. The order that
-- was returned is one of the possible ones, so that its figure lies within the bounds.
bounded as (

    select
        mode,
        system_id,
        item_id,
        evidence_kind,
        unit,
        k,
        n_found,
        greatest(n_found_best, n_found) as n_found_best,
        least(n_found_worst, n_found) as n_found_worst,
        expected_found,
        reciprocal_rank,
        greatest(reciprocal_rank_best, reciprocal_rank) as reciprocal_rank_best,
        case
            when reciprocal_rank is not null and reciprocal_rank_worst is not null
                then least(reciprocal_rank_worst, reciprocal_rank)
        end as reciprocal_rank_worst
    from by_unit

)

select * from bounded

union all

-- Evidence of whatever kind, each kind in its own list.
select
    mode,
    system_id,
    item_id,
    evidence_kind,
    'any' as unit,
    k,
    sum(n_found) as n_found,
    sum(n_found_best) as n_found_best,
    sum(n_found_worst) as n_found_worst,
    cast(null as double) as expected_found,
    max(reciprocal_rank) as reciprocal_rank,
    max(reciprocal_rank_best) as reciprocal_rank_best,
    max(reciprocal_rank_worst) as reciprocal_rank_worst
from bounded
where evidence_kind = 'text'
group by mode, system_id, item_id, evidence_kind, k
