{#-
    A piece of evidence is found where the first sentence that stands for it is. At best it
    opens its group of ties; at worst everything else comes before it. Kept from the group:
    its size and how many of its sentences stand for the evidence.
-#}
with

int_rankings_judged as (

    select * from {{ ref('int_rankings_judged') }}

),

in_tie_groups as (

    select
        system_id,
        item_id,
        evidence_id,
        first_tied_rank,
        max(n_tied) as n_tied,
        count(*) as n_alternatives,
        min(rank) as rank
    from int_rankings_judged
    where
        gold_set = 'p3'
        and grade > 0
    group by system_id, item_id, evidence_id, first_tied_rank

),

-- What a later group repeats was found already.
first_groups as (

    select *
    from in_tie_groups
    qualify
        row_number() over (
            partition by system_id, item_id, evidence_id
            order by first_tied_rank
        ) = 1

)

select
    system_id,
    item_id,
    evidence_id,
    first_tied_rank,
    n_tied,
    n_alternatives,
    rank,
    first_tied_rank + row_number() over (
        partition by system_id, item_id, first_tied_rank
        order by evidence_id
    ) - 1 as rank_best,
    -- The evidence with the fewest alternatives can be kept back the longest.
    first_tied_rank + n_tied - sum(n_alternatives) over (
        partition by system_id, item_id, first_tied_rank
        order by n_alternatives, evidence_id
        rows between unbounded preceding and current row
    ) as rank_worst
from first_groups
