{#-
    Cohen's kappa of a second opinion (a judge's, or people's marks) and the deterministic
    check, from whole counts: with n answers on which both say yes or no, a on which they
    agree, and c the sum over yes and no of the products of how often each says it, kappa is
    (n a - c) / (n n - c).
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

int_answers_marked as (

    select * from {{ ref('int_answers_marked') }}

),

marked as (

    select
        system_id,
        gold_set,
        item_id,
        case when mark in ('right', 'wrong') then 'correct' else 'faithful' end
            as aspect,
        case when mark in ('right', 'perfect') then 'yes' else 'no' end as opinion
    from int_answers_marked

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
            when bool_and(support in ('supported', 'inferred')) then 'yes'
            else 'no'
        end as check_verdict
    from answer_claims
    group by system_id, gold_set, item_id

),

paired as (

    select
        answer_judgements.system_id,
        'judge' as opinion_by,
        answer_judgements.aspect,
        checked.check_verdict,
        answer_judgements.verdict as opinion
    from answer_judgements
    inner join checked
        on
            answer_judgements.system_id = checked.system_id
            and answer_judgements.gold_set = checked.gold_set
            and answer_judgements.item_id = checked.item_id
            and answer_judgements.aspect = checked.aspect
    where answer_judgements.verdict is not null

    union all

    select
        marked.system_id,
        'people' as opinion_by,
        checked.aspect,
        checked.check_verdict,
        marked.opinion
    from marked
    inner join checked
        on
            marked.system_id = checked.system_id
            and marked.gold_set = checked.gold_set
            and marked.item_id = checked.item_id
            and marked.aspect = checked.aspect

),

pooled as (

    select * from paired

    union all

    select
        'all' as system_id,
        opinion_by,
        aspect,
        check_verdict,
        opinion
    from paired

),

counted as (

    select
        system_id,
        opinion_by,
        aspect,
        check_verdict,
        opinion,
        count(*) as n
    from pooled
    group by system_id, opinion_by, aspect, check_verdict, opinion

),

margins as (

    select
        system_id,
        opinion_by,
        aspect,
        sum(n) as n_both,
        coalesce(sum(n) filter (where check_verdict = opinion), 0) as n_agreed,
        coalesce(sum(n) filter (where check_verdict = 'yes'), 0) as n_check_yes,
        coalesce(sum(n) filter (where opinion = 'yes'), 0) as n_opinion_yes
    from counted
    where opinion <> 'unclear'
    group by system_id, opinion_by, aspect

),

chances as (

    select
        system_id,
        opinion_by,
        aspect,
        n_both,
        n_agreed,
        n_check_yes * n_opinion_yes
        + (n_both - n_check_yes) * (n_both - n_opinion_yes) as by_chance
    from margins

)

select
    counted.system_id,
    counted.opinion_by,
    counted.aspect,
    counted.check_verdict,
    counted.opinion,
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
        and counted.opinion_by = chances.opinion_by
        and counted.aspect = chances.aspect
