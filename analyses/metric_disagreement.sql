-- Where do the numeric verdict, the wording and the judge disagree? One row per system
-- and pair of checks that both gave a verdict on answers, counted by who said right.
-- Read n_only_first and n_only_second: answers that one check calls right and the other
-- wrong. A wording score of 0.5 or more counts as right, which is a reading aid and no
-- threshold of any gate. The examples are the first answers of each side by id: read
-- them before trusting either check. kappa of judge and checks stands in
-- judge_agreements. The interval is of agree_share, and counts companies, not answers.
with

metric_values as (

    select * from {{ ref('metric_values') }}

),

numeric_verdicts as (

    select * from {{ ref('numeric_verdicts') }}

),

answer_judgements as (

    select * from {{ ref('answer_judgements') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where gold_set = 'p3'

),

said as (

    select
        system_id,
        item_id,
        'numeric verdict' as check_name,
        verdict in ('exact', 'within_rounding', 'within_tolerance') as is_right
    from numeric_verdicts
    where verdict is not null

    union all

    select
        system_id,
        item_id,
        metric as check_name,
        value >= 0.5 as is_right
    from metric_values
    where
        metric in (
            'answer_accuracy', 'contain_match', 'rouge_l', 'bert_score_rescaled',
            'bleurt', 'cosine'
        )
        and value is not null

    union all

    select
        system_id,
        item_id,
        'judge: ' || aspect as check_name,
        verdict = 'yes' as is_right
    from answer_judgements
    where verdict in ('yes', 'no')

),

-- Declined questions have no text that a check could read.
given as (

    select
        said.*,
        item_slices.cluster_id
    from said
    inner join answers
        on
            said.system_id = answers.system_id
            and said.item_id = answers.item_id
    inner join item_slices
        on said.item_id = item_slices.item_id
    where
        answers.outcome = 'answered'
        and item_slices.slice_name = 'overall'

),

paired as (

    select
        one.system_id,
        one.check_name as first_check,
        another.check_name as second_check,
        count(*) as n,
        count(distinct one.cluster_id) as n_companies,
        count(*) filter (where one.is_right and another.is_right) as n_both_right,
        count(*) filter (where not one.is_right and not another.is_right)
            as n_both_wrong,
        count(*) filter (where one.is_right and not another.is_right)
            as n_only_first,
        count(*) filter (where not one.is_right and another.is_right)
            as n_only_second,
        min(one.item_id) filter (where one.is_right and not another.is_right)
            as example_only_first,
        min(one.item_id) filter (where not one.is_right and another.is_right)
            as example_only_second
    from given as one
    inner join given as another
        on
            one.system_id = another.system_id
            and one.item_id = another.item_id
            and one.check_name < another.check_name
    group by one.system_id, one.check_name, another.check_name

),

shared as (

    select
        *,
        (n_both_right + n_both_wrong) / n as agree_share
    from paired

)

select
    *,
    {{ wilson_bound('agree_share', 'n_companies', 'low') }} as ci_low,
    {{ wilson_bound('agree_share', 'n_companies', 'high') }} as ci_high
from shared
order by agree_share asc, system_id asc, first_check asc, second_check asc
