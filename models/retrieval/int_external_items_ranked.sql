{#- Outside rankings in the columns of `py_items_ranked`, cut at the depth of the
    system: an item whose ranking is empty, or that failed without one, has a row whose
    rank is null. -#}
with

int_external_rows_matched as (

    select * from {{ ref('int_external_rows_matched') }}

),

int_external_rankings_checked as (

    select * from {{ ref('int_external_rankings_checked') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

-- A record without a ranking tells of no search, unless it tells that it failed.
items as (

    select
        system_id,
        gold_set,
        item_id,
        max(failure) as failure
    from int_external_rows_matched
    where
        reason_code is null
        and gold_set = 'p3'
        and (sources is not null or failure is not null)
    group by system_id, gold_set, item_id

),

ranked as (

    select int_external_rankings_checked.*
    from int_external_rankings_checked
    inner join registered_systems
        on int_external_rankings_checked.system_id = registered_systems.system_id
    where
        int_external_rankings_checked.reason_code is null
        and int_external_rankings_checked.rank <= registered_systems.depth

)

select
    items.system_id,
    items.gold_set,
    items.item_id,
    'sentence' as unit,
    ranked.rank,
    ranked.sentence_id as passage_id,
    case when ranked.rank is not null then ranked.score end as score,
    ranked.n_tied,
    cast(null as varchar) as found_by,
    case when ranked.rank is null then items.failure end as failure
from items
left join ranked
    on
        items.system_id = ranked.system_id
        and items.item_id = ranked.item_id
