with

int_relevant_ranks as (

    select * from {{ ref('int_relevant_ranks') }}

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

at_cutoffs as (

    select
        int_relevant_ranks.mode,
        int_relevant_ranks.system_id,
        int_relevant_ranks.item_id,
        int_relevant_ranks.unit,
        int_relevant_ranks.tie_policy,
        cutoffs.k,
        cast(count(*) as double) as n_found,
        1.0 / min(int_relevant_ranks.rank) as reciprocal_rank,
        {{
            exact_sum('int_relevant_ranks.grade / log2(int_relevant_ranks.rank + 1.0)')
        }} as dcg
    from int_relevant_ranks
    inner join cutoffs
        on int_relevant_ranks.rank <= cutoffs.k
    group by
        int_relevant_ranks.mode,
        int_relevant_ranks.system_id,
        int_relevant_ranks.item_id,
        int_relevant_ranks.unit,
        int_relevant_ranks.tie_policy,
        cutoffs.k

)

select * from at_cutoffs
