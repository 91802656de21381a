with

items as (

    select *
    from {{ ref('items') }}
    where item_kind = 'question'

),

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

int_evidence_followed as (

    select * from {{ ref('int_evidence_followed') }}

),

answer_diagnosis_flags as (

    select * from {{ ref('answer_diagnosis_flags') }}

),

counted as (

    select
        int_evidence_followed.item_id,
        count(*) as n_systems,
        count(*) filter (where int_evidence_followed.outcome = 'answered')
            as n_answered,
        count(*) filter (where answer_verdicts.is_right) as n_right,
        count(*) filter (where int_evidence_followed.outcome = 'abstained')
            as n_abstained,
        count(*) filter (
            where int_evidence_followed.outcome in ('failed', 'not_run')
        ) as n_failed,
        count(answer_verdicts.is_right) as n_judged,
        sum(int_evidence_followed.n_evidence_in_context) filter (
            where int_evidence_followed.n_evidence > 0
        )
        / nullif(
            sum(int_evidence_followed.n_evidence) filter (
                where int_evidence_followed.n_evidence_in_context is not null
            ),
            0
        ) as evidence_share
    from int_evidence_followed
    left join answer_verdicts
        on
            int_evidence_followed.system_id = answer_verdicts.system_id
            and int_evidence_followed.item_id = answer_verdicts.item_id
    group by int_evidence_followed.item_id

),

flagged as (

    select
        item_id,
        list(reason order by reason) as flags
    from answer_diagnosis_flags
    group by item_id

),

-- What broke off tells nothing about the question: the share is of what was judged.
outcomes as (

    select
        items.item_id,
        items.gold_set,
        counted.evidence_share,
        coalesce(counted.n_systems, 0) as n_systems,
        coalesce(counted.n_answered, 0) as n_answered,
        coalesce(counted.n_right, 0) as n_right,
        coalesce(counted.n_abstained, 0) as n_abstained,
        coalesce(counted.n_failed, 0) as n_failed,
        counted.n_right / nullif(counted.n_judged, 0) as right_share,
        coalesce(flagged.flags, cast([] as varchar[])) as flags
    from items
    left join counted
        on items.item_id = counted.item_id
    left join flagged
        on items.item_id = flagged.item_id

)

select
    item_id,
    gold_set,
    n_systems,
    n_answered,
    n_right,
    n_abstained,
    n_failed,
    right_share,
    row_number() over (
        partition by gold_set
        order by
            right_share asc nulls last,
            evidence_share asc nulls last,
            {{ seeded_order('item_id', 'hardest questions') }} asc,
            item_id asc
    ) as hardness_rank,
    flags
from outcomes
