{#-
    Rankings of outside systems in the columns of `py_items_ranked`, cut at the depth of the
    system where it has one. A list may hold several kinds of unit: each kind is ranked for
    itself. Of equal scores the later id comes first, as trec_eval has it; without scores the
    written order counts. A question whose ranking is empty, or that failed without one, has a
    row whose rank is null for each kind of unit that the system ranks in the set.
-#}
with

int_external_rows_matched as (

    select * from {{ ref('int_external_rows_matched') }}

),

int_external_rankings_checked as (

    select *
    from {{ ref('int_external_rankings_checked') }}
    where is_ranked

),

passages as (

    select * from {{ ref('passages') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

units as (

    select
        system_id,
        gold_set,
        unit
    from int_external_rankings_checked
    where unit is not null
    group by system_id, gold_set, unit

),

-- Cells of one row are one place, the best of them. A passage that nobody knows could
-- be of any kind that the system ranks, and takes a place among each.
given as (

    select
        int_external_rankings_checked.system_id,
        int_external_rankings_checked.gold_set,
        int_external_rankings_checked.item_id,
        units.unit,
        int_external_rankings_checked.passage_id,
        max(int_external_rankings_checked.score) as score,
        min(int_external_rankings_checked.place) as place
    from int_external_rankings_checked
    inner join units
        on
            int_external_rankings_checked.system_id = units.system_id
            and int_external_rankings_checked.gold_set = units.gold_set
            and coalesce(int_external_rankings_checked.unit, units.unit) = units.unit
    group by
        int_external_rankings_checked.system_id,
        int_external_rankings_checked.gold_set,
        int_external_rankings_checked.item_id,
        units.unit,
        int_external_rankings_checked.passage_id

),

ranked as (

    select
        *,
        cast(
            row_number() over (
                partition by system_id, item_id, unit
                order by
                    score desc nulls last,
                    case when score is null then place end asc,
                    passage_id desc
            ) as integer
        ) as rank,
        case
            when score is null then 1
            else count(*) over (partition by system_id, item_id, unit, score)
        end as n_tied
    from given

),

within_depth as (

    select ranked.*
    from ranked
    left join registered_systems
        on ranked.system_id = registered_systems.system_id
    where ranked.rank <= coalesce(registered_systems.depth, ranked.rank)

),

searched as (

    select
        system_id,
        gold_set,
        item_id,
        max(failure) as failure
    from int_external_rows_matched
    where is_search
    group by system_id, gold_set, item_id

),

-- A system that ranks nothing known in a public set was asked for every unit of it.
corpus_units as (

    select
        corpus_id,
        unit
    from passages
    where is_rankable
    group by corpus_id, unit

),

searched_units as (

    select
        searched.*,
        coalesce(
            units.unit,
            corpus_units.unit,
            case
                when {{ gold_set_is('filings', 'searched.gold_set') }} then 'sentence'
            end
        ) as unit
    from searched
    left join units
        on
            searched.system_id = units.system_id
            and searched.gold_set = units.gold_set
    left join corpus_units
        on
            searched.gold_set = corpus_units.corpus_id
            and units.unit is null

)

select
    system_id,
    gold_set,
    item_id,
    unit,
    rank,
    passage_id,
    score,
    n_tied,
    cast(null as varchar) as failure
from within_depth

union all

select
    searched_units.system_id,
    searched_units.gold_set,
    searched_units.item_id,
    searched_units.unit,
    cast(null as integer) as rank,
    cast(null as varchar) as passage_id,
    cast(null as double) as score,
    cast(null as bigint) as n_tied,
    searched_units.failure
from searched_units
anti join within_depth
    on
        searched_units.system_id = within_depth.system_id
        and searched_units.item_id = within_depth.item_id
        and searched_units.unit = within_depth.unit
where searched_units.unit is not null
