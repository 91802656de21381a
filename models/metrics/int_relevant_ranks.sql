with

int_rankings_graded as (

    select * from {{ ref('int_rankings_graded') }}

),

-- Inside a group of ties the best case puts the highest grades first, the worst case
-- puts them last, behind every tied passage, listed or not. What is not relevant has no
-- place of its own.
relevant as (

    select
        mode,
        system_id,
        item_id,
        unit,
        passage_id,
        grade,
        scored_rank as rank_by_id,
        scored_first_tied_rank + row_number() over by_grade - 1 as rank_best,
        scored_first_tied_rank + scored_n_tied - row_number() over by_grade
            as rank_worst
    from int_rankings_graded
    where
        grade > 0
        and not is_repeat
    window
        by_grade as (
            partition by mode, system_id, item_id, unit, scored_first_tied_rank
            order by grade desc, scored_rank asc
        )

)

select
    mode,
    system_id,
    item_id,
    unit,
    passage_id,
    grade,
    'by_id' as tie_policy,
    rank_by_id as rank
from relevant

union all

select
    mode,
    system_id,
    item_id,
    unit,
    passage_id,
    grade,
    'best' as tie_policy,
    rank_best as rank
from relevant

union all

select
    mode,
    system_id,
    item_id,
    unit,
    passage_id,
    grade,
    'worst' as tie_policy,
    rank_worst as rank
from relevant
