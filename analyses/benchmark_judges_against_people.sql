-- How far do the rules agree with people who labelled answers to FinanceBench?
-- Read kappa as agreement beyond chance, over answers that the rule could judge. May be
-- empty: benchmarks_paths names no labelled answers.
with

answer_scores as (

    select * from {{ ref('answer_scores') }}

),

answers as (

    select * from {{ ref('answers') }}

),

paired as (

    select
        answer_scores.gold_set as benchmark,
        answer_scores.metric as rule,
        answer_scores.value > 0 as is_right_by_rule,
        answers.label in ('Correct Answer', 'correct') as is_right_by_person
    from answer_scores
    inner join answers
        on
            answer_scores.system_id = answers.system_id
            and answer_scores.item_id = answers.item_id
    where
        answers.label_by = 'human'
        and answer_scores.metric in ('contain_match', 'numeric_agreement')
        and answer_scores.value is not null

),

counted as (

    select
        benchmark,
        rule,
        cast(count(*) as double) as n,
        count(*) filter (where is_right_by_rule and is_right_by_person) as both_right,
        count(*) filter (where is_right_by_rule and not is_right_by_person)
            as rule_alone,
        count(*) filter (where not is_right_by_rule and is_right_by_person)
            as person_alone,
        count(*) filter (where not is_right_by_rule and not is_right_by_person)
            as neither
    from paired
    group by benchmark, rule

),

expected as (

    select
        *,
        (both_right + neither) / n as observed_share,
        (
            (both_right + rule_alone) * (both_right + person_alone)
            + (neither + rule_alone) * (neither + person_alone)
        ) / (n * n) as chance_share
    from counted

)

select
    benchmark,
    rule,
    cast(n as bigint) as n_answers,
    both_right,
    rule_alone,
    person_alone,
    neither,
    case
        when chance_share < 1
            then (observed_share - chance_share) / (1 - chance_share)
    end as kappa
from expected
order by benchmark, rule
