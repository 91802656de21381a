{#-
    every system has an outcome for every item it is asked and every unit of text that the
    item's corpus has; a corpus of which nothing was loaded has one unit. A system of a file has
    the units that it ranks in that set at all, and was run on the questions that its file has.
-#}
with

registered_systems as (

    select *
    from {{ ref('registered_systems') }}
    where gold_sets is null

),

items as (

    select * from {{ ref('items') }}

),

passages as (

    select * from {{ ref('passages') }}

),

int_items_ranked as (

    select * from {{ ref('int_items_ranked') }}

),

int_external_items_ranked as (

    select * from {{ ref('int_external_items_ranked') }}

),

int_external_rows_matched as (

    select * from {{ ref('int_external_rows_matched') }}

),

units as (

    select
        corpus_id,
        unit
    from passages
    where is_rankable
    group by corpus_id, unit

),

asked as (

    select
        items.gold_set,
        items.item_id,
        items.corpus_id,
        coalesce(
            units.unit,
            case when items.corpus_id = 'filings' then 'sentence' else 'text' end
        ) as unit,
        case when items.item_kind = 'anchor' then 'anchors' else 'questions' end
            as asked_by
    from items
    left join units
        on
            items.corpus_id = units.corpus_id
            and (
                items.corpus_id <> 'filings'
                or {{ gold_set_is('tables', 'items.gold_set') }}
                or units.unit = case
                    when {{ gold_set_is('cells', 'items.gold_set') }} then 'cell'
                    else 'sentence'
                end
            )

),

-- Questions of sets with several units that a file of rankings has, be it with an
-- empty list.
file_runs as (

    select
        system_id,
        gold_set,
        item_id
    from int_external_rows_matched
    where
        (
            {{ gold_set_is('public', 'gold_set') }}
            or {{ gold_set_is('tables', 'gold_set') }}
        )
        and item_id is not null
        and (is_search or sources is not null)
    group by system_id, gold_set, item_id

),

given_units as (

    select
        system_id,
        gold_set,
        unit
    from int_external_items_ranked
    where {{ gold_set_is('public', 'gold_set') }}
    group by system_id, gold_set, unit

),

given_systems as (

    select
        file_runs.system_id,
        file_runs.gold_set,
        bool_or(given_units.unit is not null) as has_units
    from file_runs
    left join given_units
        on
            file_runs.system_id = given_units.system_id
            and file_runs.gold_set = given_units.gold_set
    where {{ gold_set_is('public', 'file_runs.gold_set') }}
    group by file_runs.system_id, file_runs.gold_set

),

-- Who is for public sets alone and ranks for the filings all the same.
filings_begun as (

    select system_id
    from int_external_items_ranked
    where {{ gold_set_is('filings', 'gold_set') }}
    group by system_id

),

-- Outside systems rank rows and cells if they like, and then need not rank sentences.
filings_units as (

    select
        system_id,
        gold_set,
        list(distinct unit) as units
    from int_external_items_ranked
    where {{ gold_set_is('filings', 'gold_set') }}
    group by system_id, gold_set

),

expected as (

    -- Outside systems are asked the questions on filings; others' rankings are files.
    select
        registered_systems.system_id,
        asked.gold_set,
        asked.item_id,
        asked.unit
    from registered_systems
    inner join asked
        on
            registered_systems.asks in (asked.asked_by, 'both')
            and (
                asked.corpus_id = 'filings'
                or registered_systems.system_kind not in (
                    'external_file', 'external_http'
                )
            )
    left join filings_begun
        on registered_systems.system_id = filings_begun.system_id
    left join filings_units
        on
            registered_systems.system_id = filings_units.system_id
            and asked.gold_set = filings_units.gold_set
    where
        (
            registered_systems.answer_sets is distinct from 'public'
            or filings_begun.system_id is not null
        )
        and (
            asked.corpus_id <> 'filings'
            or registered_systems.system_kind not in ('external_file', 'external_http')
            or list_contains(coalesce(filings_units.units, ['sentence']), asked.unit)
        )
        -- Whoever calls tools by a model pays for every question of a public set.
        and (
            asked.corpus_id = 'filings'
            or registered_systems.policy is distinct from 'llm'
            or registered_systems.answer_sets = 'all'
        )

    union all

    select
        given_units.system_id,
        items.gold_set,
        items.item_id,
        given_units.unit
    from given_units
    inner join items
        on given_units.gold_set = items.gold_set

    union all

    -- One that ranks nothing known has every unit.
    select
        given_systems.system_id,
        asked.gold_set,
        asked.item_id,
        asked.unit
    from given_systems
    inner join asked
        on given_systems.gold_set = asked.gold_set
    where not given_systems.has_units

),

ranked as (

    select
        system_id,
        item_id,
        unit,
        rank,
        failure
    from int_items_ranked

    union all

    select
        system_id,
        item_id,
        unit,
        rank,
        failure
    from int_external_items_ranked

),

outcomes as (

    select
        system_id,
        item_id,
        unit,
        count(rank) as n_ranked,
        max(failure) as failure
    from ranked
    group by system_id, item_id, unit

)

select
    expected.system_id,
    expected.gold_set,
    expected.item_id,
    expected.unit,
    case
        when outcomes.failure is not null then 'failed'
        when outcomes.item_id is not null or file_runs.item_id is not null then 'ranked'
        else 'not_run'
    end as outcome,
    outcomes.failure,
    coalesce(outcomes.n_ranked, 0) as n_ranked
from expected
left join outcomes
    on
        expected.system_id = outcomes.system_id
        and expected.item_id = outcomes.item_id
        and expected.unit = outcomes.unit
left join file_runs
    on
        expected.system_id = file_runs.system_id
        and expected.item_id = file_runs.item_id
