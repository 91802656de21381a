{#-
    Does a system answer alike when only the wording changes: of the question (its variants)
    or of the prompt (systems whose settings are the same but for it)? Both abstained is
    alike; two numbers are if they have one unit and differ by no more than the tolerance of
    the question; other answers if their words are the same.
-#}
with

runs as (

    select * from {{ ref('runs') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

questions as (

    select * from {{ ref('questions') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

answers as (

    select * from {{ ref('answers') }}

),

given as (

    select
        answers.system_id,
        answers.gold_set,
        answers.item_id,
        answers.outcome,
        answers.numeric_value,
        answers.unit,
        {{ plain_words('answers.answer_text') }} as answer_words,
        questions.question_id,
        questions.variant_of,
        coalesce(gold_p3.tolerance, 0) as tolerance
    from answers
    inner join questions
        on answers.item_id = questions.item_id
    inner join gold_p3
        on questions.question_id = gold_p3.question_id
    where answers.outcome in ('answered', 'abstained')

),

settings_compared as (

    select
        system_id,
        prompt,
        replace(settings, '"prompt": "' || prompt || '"', '') as other_settings
    from registered_systems
    where prompt is not null

),

systems_paired as (

    select
        settings_compared.system_id as system_a,
        others.system_id as system_b
    from settings_compared
    inner join settings_compared as others
        on
            settings_compared.other_settings = others.other_settings
            and settings_compared.prompt <> others.prompt
            and settings_compared.system_id < others.system_id

),

paired as (

    select
        'question' as changed,
        given.system_id as system_a,
        given.system_id as system_b,
        given.gold_set,
        given.outcome as outcome_a,
        variants.outcome as outcome_b,
        given.numeric_value as number_a,
        variants.numeric_value as number_b,
        given.unit as unit_a,
        variants.unit as unit_b,
        given.answer_words as words_a,
        variants.answer_words as words_b,
        given.tolerance
    from given
    inner join given as variants
        on
            given.system_id = variants.system_id
            and given.question_id = variants.variant_of

    union all

    select
        'prompt' as changed,
        systems_paired.system_a,
        systems_paired.system_b,
        given.gold_set,
        given.outcome as outcome_a,
        others.outcome as outcome_b,
        given.numeric_value as number_a,
        others.numeric_value as number_b,
        given.unit as unit_a,
        others.unit as unit_b,
        given.answer_words as words_a,
        others.answer_words as words_b,
        given.tolerance
    from systems_paired
    inner join given
        on systems_paired.system_a = given.system_id
    inner join given as others
        on
            systems_paired.system_b = others.system_id
            and given.item_id = others.item_id

),

compared as (

    select
        changed,
        system_a,
        system_b,
        gold_set,
        coalesce(case
            when outcome_a <> outcome_b then false
            when outcome_a = 'abstained' then true
            when number_a is not null and number_b is not null
                then
                    abs(number_a - number_b)
                    <= tolerance + 1e-9 * greatest(abs(number_a), abs(number_b))
                    and coalesce(unit_a, '') = coalesce(unit_b, '')
            else words_a = words_b
        end, false) as is_alike
    from paired

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
    concat_ws('|', counted.changed, counted.system_a, counted.system_b, counted.gold_set)
        as consistency_id,
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
