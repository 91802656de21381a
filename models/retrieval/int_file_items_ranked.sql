{#-
    What files say that systems found for questions of public sets. A file may rank several
    kinds of unit in one list: each kind is ranked for itself. Of equal scores the later id
    comes first, as trec_eval has it; without scores the written order counts.
-#}
with

int_places_ranked as (

    select * from {{ ref('int_places_ranked') }}

),

lists as (

    select
        system_id,
        gold_set,
        unit
    from int_places_ranked
    where
        unit is not null
        and item_id is not null
    group by system_id, gold_set, unit

),

-- Cells of one row are one place, the best of them. A passage that nobody knows could
-- be of any kind that the system ranks, and takes a place among each.
given as (

    select
        int_places_ranked.system_id,
        int_places_ranked.gold_set,
        int_places_ranked.item_id,
        lists.unit,
        int_places_ranked.passage_id,
        max(int_places_ranked.score) as score,
        min(int_places_ranked.position) filter (
            where int_places_ranked.score is null
        ) as position
    from int_places_ranked
    inner join lists
        on
            int_places_ranked.system_id = lists.system_id
            and int_places_ranked.gold_set = lists.gold_set
            and coalesce(int_places_ranked.unit, lists.unit) = lists.unit
    where int_places_ranked.place_status in ('mapped', 'unknown_passage')
    group by
        int_places_ranked.system_id,
        int_places_ranked.gold_set,
        int_places_ranked.item_id,
        lists.unit,
        int_places_ranked.passage_id

)

select
    system_id,
    gold_set,
    item_id,
    unit,
    cast(
        row_number() over (
            partition by system_id, item_id, unit
            order by score desc nulls last, position asc, passage_id desc
        ) as integer
    ) as rank,
    passage_id,
    score,
    case
        when score is null then 1
        else count(*) over (partition by system_id, item_id, unit, score)
    end as n_tied
from given
