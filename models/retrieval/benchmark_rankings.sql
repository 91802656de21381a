{#-
    What the systems of this project found, and what files say that others did. A file may rank
    several kinds of unit in one list: each kind is ranked for itself. Of equal scores in a
    file the later id comes first, as trec_eval has it; without scores the written order counts.
-#}
with

py_benchmark_passages_ranked as (

    select * from {{ ref('py_benchmark_passages_ranked') }}

),

int_benchmark_places_ranked as (

    select * from {{ ref('int_benchmark_places_ranked') }}

),

lists as (

    select
        system_id,
        benchmark,
        space
    from int_benchmark_places_ranked
    where
        space is not null
        and item_id is not null
    group by system_id, benchmark, space

),

-- Cells of one row are one place, the best of them. A passage that nobody knows could
-- be of any kind that the system ranks, and takes a place among each.
given as (

    select
        int_benchmark_places_ranked.system_id,
        int_benchmark_places_ranked.benchmark,
        int_benchmark_places_ranked.item_id,
        lists.space,
        int_benchmark_places_ranked.passage_id,
        max(int_benchmark_places_ranked.score) as score,
        min(int_benchmark_places_ranked.position) filter (
            where int_benchmark_places_ranked.score is null
        ) as position
    from int_benchmark_places_ranked
    inner join lists
        on
            int_benchmark_places_ranked.system_id = lists.system_id
            and int_benchmark_places_ranked.benchmark = lists.benchmark
            and coalesce(int_benchmark_places_ranked.space, lists.space) = lists.space
    where int_benchmark_places_ranked.place_status in ('mapped', 'unknown_passage')
    group by
        int_benchmark_places_ranked.system_id,
        int_benchmark_places_ranked.benchmark,
        int_benchmark_places_ranked.item_id,
        lists.space,
        int_benchmark_places_ranked.passage_id

)

select
    system_id,
    benchmark,
    item_id,
    space,
    rank,
    passage_id,
    score,
    n_tied
from py_benchmark_passages_ranked
where rank is not null

union all

select
    system_id,
    benchmark,
    item_id,
    space,
    cast(
        row_number() over (
            partition by system_id, item_id, space
            order by score desc nulls last, position asc, passage_id desc
        ) as integer
    ) as rank,
    passage_id,
    score,
    case
        when score is null then 1
        else count(*) over (partition by system_id, item_id, space, score)
    end as n_tied
from given
