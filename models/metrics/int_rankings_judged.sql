with

rankings as (

    select * from {{ ref('rankings') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

gold_judgments as (

    select * from {{ ref('gold_judgments') }}

),

-- The anchor leaves its group of ties when it leaves the ranking.
anchor_scores as (

    select
        rankings.system_id,
        rankings.item_id,
        rankings.score
    from rankings
    inner join anchors
        on
            rankings.item_id = anchors.item_id
            and rankings.sentence_id = anchors.sentence_id

),

without_anchor as (

    select
        rankings.system_id,
        rankings.item_id,
        rankings.sentence_id,
        rankings.score,
        row_number() over (
            partition by rankings.system_id, rankings.item_id
            order by rankings.rank
        ) as rank,
        rankings.n_tied - case
            when rankings.score = anchor_scores.score then 1
            else 0
        end as n_tied
    from rankings
    inner join anchors
        on rankings.item_id = anchors.item_id
    left join anchor_scores
        on
            rankings.system_id = anchor_scores.system_id
            and rankings.item_id = anchor_scores.item_id
    where rankings.sentence_id <> anchors.sentence_id

)

select
    without_anchor.system_id,
    without_anchor.item_id,
    without_anchor.sentence_id,
    without_anchor.score,
    without_anchor.rank,
    greatest(
        without_anchor.n_tied,
        count(*) over (
            partition by
                without_anchor.system_id,
                without_anchor.item_id,
                without_anchor.score
        )
    ) as n_tied,
    min(without_anchor.rank) over (
        partition by
            without_anchor.system_id,
            without_anchor.item_id,
            without_anchor.score
    ) as first_tied_rank,
    greatest(coalesce(gold_judgments.grade, 0), 0) as grade
from without_anchor
left join gold_judgments
    on
        without_anchor.item_id = gold_judgments.item_id
        and without_anchor.sentence_id = gold_judgments.sentence_id
