{#-
    What gates on answers must know before any score: how many answers failed, how many
    repeat the gold, and how many questions of each type a slice has.
-#}
with

answers as (

    select * from {{ ref('answers') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

answers_failed as (

    select
        system_id,
        gold_set,
        'overall' as slice_name,
        'all' as slice_value,
        'answers_failed' as metric,
        cast(count(*) filter (where outcome in ('failed', 'not_run')) as double)
            as n_true,
        count(*) as n_asked
    from answers
    group by system_id, gold_set
    -- A public set of which a system answered nothing at all was not asked of it.
    having
        {{ gold_set_is('filings', 'gold_set') }}
        or bool_or(outcome <> 'not_run')

),

-- Letter by letter and in no time at all: who wrote that had the gold before them. The
-- times that a file states are its own word. A yes or no and a name have one spelling.
gold_copied as (

    select
        answers.system_id,
        answers.gold_set,
        'overall' as slice_name,
        'all' as slice_value,
        'gold_copied' as metric,
        cast(
            count(*) filter (
                where
                trim(answers.answer_text) = trim(item_answers.answer_text)
                and (
                    coalesce(answers.latency_ms, 0) = 0
                    or registered_systems.system_kind = 'external_file'
                )
            ) as double
        ) as n_true,
        count(*) as n_asked
    from answers
    inner join item_answers
        on answers.item_id = item_answers.item_id
    left join registered_systems
        on answers.system_id = registered_systems.system_id
    where
        answers.outcome = 'answered'
        and coalesce(item_answers.answer_type, '') not in ('boolean', 'speaker')
        and lower(trim(item_answers.answer_text)) not in ('yes', 'no')
    group by answers.system_id, answers.gold_set

),

types as (

    select distinct answer_type
    from int_items_graded
    where
        {{ gold_set_is('filings', 'gold_set') }}
        and answer_type is not null

),

questions_of_type as (

    select
        'gold' as system_id,
        item_slices.gold_set,
        item_slices.slice_name,
        item_slices.slice_value,
        'questions_' || types.answer_type as metric,
        cast(
            count(*) filter (
                where int_items_graded.answer_type = types.answer_type
            ) as double
        ) as n_true,
        count(*) as n_asked
    from item_slices
    inner join int_items_graded
        on item_slices.item_id = int_items_graded.item_id
    cross join types
    where
        {{ gold_set_is('filings', 'int_items_graded.gold_set') }}
        and item_slices.slice_name in ('overall', 'sound', 'sound_scope')
    group by
        item_slices.gold_set,
        item_slices.slice_name,
        item_slices.slice_value,
        types.answer_type

)

select * from answers_failed
union all
select * from gold_copied
union all
select * from questions_of_type
