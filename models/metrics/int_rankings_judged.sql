with

rankings as (

    select * from {{ ref('rankings') }}

),

int_items_judged as (

    select * from {{ ref('int_items_judged') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

-- Evidence of another kind than the list, such as a cell in a list of rows, is what
-- int_evidence_ranks looks for.
relevant as (

    select
        item_id,
        passage_id,
        unit,
        max(grade) as grade
    from judgments
    where
        grade > 0
        and mapping = 'mapped'
    group by item_id, passage_id, unit

),

-- A passage that is listed twice counts once, where it stands first; ranks that repeat
-- are put in order by the passage. A question has no anchor to take out.
listed as (

    select
        rankings.system_id,
        rankings.item_id,
        rankings.unit,
        rankings.passage_id,
        rankings.score,
        rankings.n_tied,
        int_items_judged.gold_set,
        int_items_judged.sentence_id as anchor_sentence_id,
        row_number() over (
            partition by rankings.system_id, rankings.item_id, rankings.unit
            order by rankings.rank, rankings.passage_id
        ) as place
    from rankings
    inner join int_items_judged
        on rankings.item_id = int_items_judged.item_id
    qualify
        row_number() over (
            partition by
                rankings.system_id,
                rankings.item_id,
                rankings.unit,
                rankings.passage_id
            order by rankings.rank
        ) = 1

),

-- The anchor leaves its group of ties when it leaves the ranking.
anchor_scores as (

    select
        system_id,
        item_id,
        score
    from listed
    where passage_id = anchor_sentence_id

),

without_anchor as (

    select
        listed.system_id,
        listed.gold_set,
        listed.item_id,
        listed.unit,
        listed.passage_id,
        listed.score,
        row_number() over (
            partition by listed.system_id, listed.item_id, listed.unit
            order by listed.place
        ) as rank,
        listed.n_tied - case
            when listed.score = anchor_scores.score then 1
            else 0
        end as n_tied
    from listed
    left join anchor_scores
        on
            listed.system_id = anchor_scores.system_id
            and listed.item_id = anchor_scores.item_id
    where listed.passage_id is distinct from listed.anchor_sentence_id

),

-- A result without a score is tied with nothing.
with_ties as (

    select
        *,
        case when score is null then rank else 0 end as unscored_rank
    from without_anchor

)

select
    with_ties.system_id,
    with_ties.gold_set,
    with_ties.item_id,
    with_ties.unit,
    with_ties.passage_id,
    with_ties.score,
    with_ties.rank,
    greatest(
        coalesce(with_ties.n_tied, 1),
        count(*) over (
            partition by
                with_ties.system_id,
                with_ties.item_id,
                with_ties.unit,
                with_ties.score,
                with_ties.unscored_rank
        )
    ) as n_tied,
    min(with_ties.rank) over (
        partition by
            with_ties.system_id,
            with_ties.item_id,
            with_ties.unit,
            with_ties.score,
            with_ties.unscored_rank
    ) as first_tied_rank,
    coalesce(relevant.grade, 0) as grade
from with_ties
left join relevant
    on
        with_ties.item_id = relevant.item_id
        and with_ties.unit = relevant.unit
        and with_ties.passage_id = relevant.passage_id
