{#-
    Cohen's kappa of judge and deterministic check, from whole counts: with n answers on
    which both say yes or no, a on which they agree, and c the sum over yes and no of the
    products of how often each says it, kappa is (n a - c) / (n n - c).
-#}
with

answer_judgements as (

    select * from {{ ref('answer_judgements') }}

),

int_answer_values as (

    select * from {{ ref('int_answer_values') }}

),

answer_claims as (

    select * from {{ ref('answer_claims') }}

),

checked as (

    select
        system_id,
        gold_set,
        item_id,
        'correct' as aspect,
        case when value >= 1 then 'yes' else 'no' end as check_verdict
    from int_answer_values
    where
        metric = 'answer_accuracy'
        and value_status = 'evaluated'

    union all

    select
        system_id,
        gold_set,
        item_id,
        'faithful' as aspect,
        case
            when count(*) filter (where support = 'unsupported') = 0 then 'yes'
            else 'no'
        end as check_verdict
    from answer_claims
    group by system_id, gold_set, item_id

),

paired as (

    select
        answer_judgements.system_id,
        answer_judgements.aspect,
        checked.check_verdict,
        answer_judgements.verdict as judge_verdict
    from answer_judgements
    inner join checked
        on
            answer_judgements.system_id = checked.system_id
            and answer_judgements.gold_set = checked.gold_set
            and answer_judgements.item_id = checked.item_id
            and answer_judgements.aspect = checked.aspect
    where answer_judgements.verdict is not null

),

pooled as (

    select * from paired

    union all

    select
        'all' as system_id,
        aspect,
        check_verdict,
        judge_verdict
    from paired

),

counted as (

    select
        system_id,
        aspect,
        check_verdict,
        judge_verdict,
        count(*) as n
    from pooled
    group by system_id, aspect, check_verdict, judge_verdict

),

margins as (

    select
        system_id,
        aspect,
        sum(n) as n_both,
        coalesce(sum(n) filter (where check_verdict = judge_verdict), 0) as n_agreed,
        coalesce(sum(n) filter (where check_verdict = 'yes'), 0) as n_check_yes,
        coalesce(sum(n) filter (where judge_verdict = 'yes'), 0) as n_judge_yes
    from counted
    where judge_verdict <> 'unclear'
    group by system_id, aspect

),

chances as (

    select
        system_id,
        aspect,
        n_both,
        n_agreed,
        n_check_yes * n_judge_yes
        + (n_both - n_check_yes) * (n_both - n_judge_yes) as by_chance
    from margins

)

select
    counted.system_id,
    counted.aspect,
    counted.check_verdict,
    counted.judge_verdict,
    counted.n,
    case
        when chances.by_chance < chances.n_both * chances.n_both
            then
                cast(chances.n_both * chances.n_agreed - chances.by_chance as double)
                / cast(chances.n_both * chances.n_both - chances.by_chance as double)
    end as kappa,
    cast(coalesce(chances.n_both, 0) as bigint) as n_both
from counted
left join chances
    on
        counted.system_id = chances.system_id
        and counted.aspect = chances.aspect
