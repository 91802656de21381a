{#-
    Rankings with the grade of each passage. Metrics run over evidence: the first passage of
    a piece of evidence stands for it, later passages of the same evidence leave the list
    (is_repeat), and `scored_` columns are ranks and ties without them. A passage of several
    pieces of evidence has the best grade among those that it is the first to hold. Where a
    set brings qrels, its rankings stand here a second time, for mode `official`, in the order
    of trec_eval: by score, of equal scores by document id, both descending. It keeps scores in
    single precision, and so do these: what differs by less is a tie.
-#}
with

rankings as (

    select * from {{ ref('rankings') }}

),

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

int_relevance_graded as (

    select * from {{ ref('int_relevance_graded') }}

),

-- Evidence of another kind than the list, such as a cell in a list of rows, is what
-- int_evidence_ranks looks for.
relevant as (

    select
        mode,
        item_id,
        passage_id,
        unit,
        evidence_id,
        max(grade) as grade
    from int_relevance_graded
    where grade > 0
    group by mode, item_id, passage_id, unit, evidence_id

),

items_of_qrels as (

    select item_id
    from int_relevance_graded
    where mode = 'official'
    group by item_id

),

in_modes as (

    select
        'finrag' as mode,
        system_id,
        item_id,
        unit,
        passage_id,
        score,
        n_tied,
        rank
    from rankings

    union all

    select
        'official' as mode,
        rankings.system_id,
        rankings.item_id,
        rankings.unit,
        rankings.passage_id,
        cast(cast(rankings.score as real) as double) as score,
        rankings.n_tied,
        row_number() over (
            partition by rankings.system_id, rankings.item_id, rankings.unit
            order by
                cast(rankings.score as real) desc nulls last,
                case when rankings.score is null then rankings.rank end asc,
                rankings.passage_id desc
        ) as rank
    from rankings
    inner join items_of_qrels
        on rankings.item_id = items_of_qrels.item_id

),

-- A passage that is listed twice counts once, where it stands first; ranks that repeat
-- are put in order by the passage. A question has no anchor to take out.
listed as (

    select
        in_modes.mode,
        in_modes.system_id,
        in_modes.item_id,
        in_modes.unit,
        in_modes.passage_id,
        in_modes.score,
        in_modes.n_tied,
        int_items_graded.gold_set,
        int_items_graded.sentence_id as anchor_sentence_id,
        row_number() over (
            partition by
                in_modes.mode, in_modes.system_id, in_modes.item_id, in_modes.unit
            order by in_modes.rank, in_modes.passage_id
        ) as place
    from in_modes
    inner join int_items_graded
        on in_modes.item_id = int_items_graded.item_id
    qualify
        row_number() over (
            partition by
                in_modes.mode,
                in_modes.system_id,
                in_modes.item_id,
                in_modes.unit,
                in_modes.passage_id
            order by in_modes.rank
        ) = 1

),

-- The anchor leaves its group of ties when it leaves the ranking.
anchor_scores as (

    select
        mode,
        system_id,
        item_id,
        score
    from listed
    where passage_id = anchor_sentence_id

),

without_anchor as (

    select
        listed.mode,
        listed.system_id,
        listed.gold_set,
        listed.item_id,
        listed.unit,
        listed.passage_id,
        listed.score,
        row_number() over (
            partition by
                listed.mode, listed.system_id, listed.item_id, listed.unit
            order by listed.place
        ) as rank,
        listed.n_tied - case
            when listed.score = anchor_scores.score then 1
            else 0
        end as n_tied
    from listed
    left join anchor_scores
        on
            listed.mode = anchor_scores.mode
            and listed.system_id = anchor_scores.system_id
            and listed.item_id = anchor_scores.item_id
    where listed.passage_id is distinct from listed.anchor_sentence_id

),

-- A result without a score is tied with nothing.
with_ties as (

    select
        *,
        case when score is null then rank else 0 end as unscored_rank
    from without_anchor

),

grouped as (

    select
        mode,
        system_id,
        gold_set,
        item_id,
        unit,
        passage_id,
        score,
        rank,
        greatest(
            coalesce(n_tied, 1),
            count(*) over (
                partition by mode, system_id, item_id, unit, score, unscored_rank
            )
        ) as n_tied,
        min(rank) over (
            partition by mode, system_id, item_id, unit, score, unscored_rank
        ) as first_tied_rank
    from with_ties

),

evidence_placed as (

    select
        grouped.mode,
        grouped.system_id,
        grouped.item_id,
        grouped.unit,
        grouped.passage_id,
        grouped.rank,
        grouped.first_tied_rank,
        relevant.grade,
        grouped.rank = min(grouped.rank) over (
            partition by
                grouped.mode,
                grouped.system_id,
                grouped.item_id,
                grouped.unit,
                relevant.evidence_id
        ) as is_first
    from grouped
    inner join relevant
        on
            grouped.mode = relevant.mode
            and grouped.item_id = relevant.item_id
            and grouped.unit = relevant.unit
            and grouped.passage_id = relevant.passage_id

),

passages_graded as (

    select
        mode,
        system_id,
        item_id,
        unit,
        passage_id,
        rank,
        first_tied_rank,
        max(grade) filter (where is_first) as grade
    from evidence_placed
    group by mode, system_id, item_id, unit, passage_id, rank, first_tied_rank

),

repeats as (

    select *
    from passages_graded
    where grade is null

),

repeats_passed as (

    select
        grouped.mode,
        grouped.system_id,
        grouped.item_id,
        grouped.unit,
        grouped.rank,
        count(*) filter (where repeats.rank < grouped.rank) as n_before,
        count(*) filter (
            where repeats.first_tied_rank < grouped.first_tied_rank
        ) as n_before_ties,
        count(*) filter (
            where repeats.first_tied_rank = grouped.first_tied_rank
        ) as n_in_ties
    from grouped
    inner join repeats
        on
            grouped.mode = repeats.mode
            and grouped.system_id = repeats.system_id
            and grouped.item_id = repeats.item_id
            and grouped.unit = repeats.unit
            and (
                grouped.rank > repeats.rank
                or grouped.first_tied_rank = repeats.first_tied_rank
            )
    group by
        grouped.mode,
        grouped.system_id,
        grouped.item_id,
        grouped.unit,
        grouped.rank

)

select
    grouped.mode,
    grouped.system_id,
    grouped.gold_set,
    grouped.item_id,
    grouped.unit,
    grouped.passage_id,
    grouped.score,
    grouped.rank,
    grouped.n_tied,
    grouped.first_tied_rank,
    coalesce(passages_graded.grade, 0) as grade,
    passages_graded.passage_id is not null and passages_graded.grade is null
        as is_repeat,
    grouped.rank - coalesce(repeats_passed.n_before, 0) as scored_rank,
    grouped.first_tied_rank - coalesce(repeats_passed.n_before_ties, 0)
        as scored_first_tied_rank,
    grouped.n_tied - coalesce(repeats_passed.n_in_ties, 0) as scored_n_tied
from grouped
left join passages_graded
    on
        grouped.mode = passages_graded.mode
        and grouped.system_id = passages_graded.system_id
        and grouped.item_id = passages_graded.item_id
        and grouped.unit = passages_graded.unit
        and grouped.rank = passages_graded.rank
left join repeats_passed
    on
        grouped.mode = repeats_passed.mode
        and grouped.system_id = repeats_passed.system_id
        and grouped.item_id = repeats_passed.item_id
        and grouped.unit = repeats_passed.unit
        and grouped.rank = repeats_passed.rank
