{#-
    Does a system answer alike when only the wording changes: of the question (a
    variant) or of the prompt (systems with equal settings but for it)? Both abstained
    is alike; two numbers are if they have one unit and differ by no more than the
    question's tolerance; other answers if their words are the same.
-#}
with

runs as (

    select * from {{ ref('runs') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

given as (

    select
        answers.system_id,
        answers.gold_set,
        answers.item_id,
        answers.outcome,
        answers.numeric_value,
        coalesce(answers.unit, '') as unit,
        {{ plain_words('answers.answer_text') }} as answer_words,
        items.variant_of is not null as is_variant,
        coalesce(items.variant_of, items.question_id) as original_id,
        coalesce(gold_p3.tolerance, 0) as tolerance,
        registered_systems.prompt,
        -- The text of a prompt stands in the settings as its hash.
        {{ json_without('registered_systems.settings', ['prompt', 'prompt_hash']) }}
            as other_settings
    from answers
    inner join registered_systems
        on answers.system_id = registered_systems.system_id
    inner join items
        on answers.item_id = items.item_id
    inner join gold_p3
        on items.question_id = gold_p3.question_id
    where answers.outcome in ('answered', 'abstained')

),

compared as (

    select
        case
            when given.system_id = others.system_id then 'question'
            else 'prompt'
        end as changed,
        given.system_id as system_a,
        others.system_id as system_b,
        given.gold_set,
        coalesce(case
            when given.outcome <> others.outcome then false
            when given.outcome = 'abstained' then true
            when given.numeric_value is not null and others.numeric_value is not null
                then
                    given.unit = others.unit
                    and abs(given.numeric_value - others.numeric_value)
                    <= given.tolerance + 1e-9 * greatest(
                        abs(given.numeric_value), abs(others.numeric_value)
                    )
            else given.answer_words = others.answer_words
        end, false) as is_alike
    from given
    inner join given as others
        on given.original_id = others.original_id
    where
        (
            given.system_id = others.system_id
            and not given.is_variant
            and others.is_variant
        )
        or (
            given.item_id = others.item_id
            and given.system_id < others.system_id
            and given.prompt <> others.prompt
            and given.other_settings = others.other_settings
        )

),

counted as (

    select
        changed,
        system_a,
        system_b,
        gold_set,
        count(*) as n,
        count(*) filter (where is_alike) as n_agree,
        count(*) filter (where is_alike) / count(*) as agree_share
    from compared
    group by changed, system_a, system_b, gold_set

)

select
    concat_ws(
        '|', counted.changed, counted.system_a, counted.system_b, counted.gold_set
    ) as consistency_id,
    runs.run_id,
    counted.changed,
    counted.system_a,
    counted.system_b,
    counted.gold_set,
    counted.n,
    counted.n_agree,
    counted.agree_share,
    {{ wilson_bound('counted.agree_share', 'counted.n', 'low') }} as ci_low,
    {{ wilson_bound('counted.agree_share', 'counted.n', 'high') }} as ci_high
from counted
cross join runs
