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

items_of_qrels as (

    select item_id
    from int_relevance_graded
    where mode = 'official'
    group by item_id

),

modes as (

    select
        'finrag' as mode,
        item_id
    from int_items_graded

    union all

    select
        'official' as mode,
        item_id
    from items_of_qrels

),

asked as (

    select
        system_id,
        item_id,
        unit
    from rankings
    group by system_id, item_id, unit

),

-- Lists, and what they are lists for, by number: a million results join by them.
lists as (

    select
        modes.mode,
        asked.system_id,
        asked.item_id,
        asked.unit,
        int_items_graded.gold_set,
        int_items_graded.sentence_id as anchor_sentence_id,
        dense_rank() over (
            order by modes.mode, asked.item_id, asked.unit
        ) as target_id,
        row_number() over (
            order by modes.mode, asked.item_id, asked.unit, asked.system_id
        ) as list_id
    from asked
    inner join int_items_graded
        on asked.item_id = int_items_graded.item_id
    inner join modes
        on asked.item_id = modes.item_id

),

in_lists as (

    select
        lists.list_id,
        lists.target_id,
        rankings.passage_id,
        rankings.score,
        rankings.n_tied,
        rankings.rank,
        coalesce(rankings.passage_id = lists.anchor_sentence_id, false) as is_anchor
    from rankings
    inner join lists
        on
            rankings.system_id = lists.system_id
            and rankings.item_id = lists.item_id
            and rankings.unit = lists.unit
            and lists.mode = 'finrag'

    union all

    select
        lists.list_id,
        lists.target_id,
        rankings.passage_id,
        cast(cast(rankings.score as real) as double) as score,
        rankings.n_tied,
        row_number() over (
            partition by lists.list_id
            order by
                cast(rankings.score as real) desc nulls last,
                case when rankings.score is null then rankings.rank end asc,
                rankings.passage_id desc
        ) as rank,
        coalesce(rankings.passage_id = lists.anchor_sentence_id, false) as is_anchor
    from rankings
    inner join lists
        on
            rankings.system_id = lists.system_id
            and rankings.item_id = lists.item_id
            and rankings.unit = lists.unit
            and lists.mode = 'official'

),

-- A passage that is listed twice counts once, where it stands first; ranks that repeat
-- are put in order by the passage. A question has no anchor to take out.
twice as (

    select
        list_id,
        passage_id,
        min(rank) as first_rank
    from in_lists
    group by list_id, passage_id
    having count(*) > 1

),

placed as (

    select
        in_lists.*,
        row_number() over (
            partition by in_lists.list_id
            order by in_lists.rank, in_lists.passage_id
        ) as place
    from in_lists
    left join twice
        on
            in_lists.list_id = twice.list_id
            and in_lists.passage_id = twice.passage_id
    where
        twice.list_id is null
        or in_lists.rank = twice.first_rank

),

-- The anchor leaves its group of ties when it leaves the ranking.
anchor_places as (

    select
        list_id,
        place,
        score
    from placed
    where is_anchor

),

-- A result without a score is tied with nothing.
without_anchor as (

    select
        placed.list_id,
        placed.target_id,
        placed.passage_id,
        placed.score,
        placed.place - coalesce(cast(placed.place > anchor_places.place as integer), 0)
            as rank,
        placed.n_tied - case
            when placed.score = anchor_places.score then 1
            else 0
        end as n_tied,
        case when placed.score is null then placed.place else 0 end as unscored_place
    from placed
    left join anchor_places
        on placed.list_id = anchor_places.list_id
    where not placed.is_anchor

),

tie_groups as (

    select
        list_id,
        score,
        unscored_place,
        count(*) as n_listed,
        min(rank) as first_rank
    from without_anchor
    group by list_id, score, unscored_place

),

grouped as (

    select
        without_anchor.list_id,
        without_anchor.target_id,
        without_anchor.passage_id,
        without_anchor.score,
        without_anchor.rank,
        greatest(coalesce(without_anchor.n_tied, 1), tie_groups.n_listed) as n_tied,
        tie_groups.first_rank as first_tied_rank
    from without_anchor
    inner join tie_groups
        on
            without_anchor.list_id = tie_groups.list_id
            and without_anchor.score is not distinct from tie_groups.score
            and without_anchor.unscored_place = tie_groups.unscored_place

),

targets as (

    select
        target_id,
        mode,
        item_id,
        unit
    from lists
    group by target_id, mode, item_id, unit

),

-- Evidence of another kind than the list, such as a cell in a list of rows, is what
-- int_evidence_ranks looks for.
relevant as (

    select
        targets.target_id,
        int_relevance_graded.passage_id,
        int_relevance_graded.evidence_id,
        max(int_relevance_graded.grade) as grade
    from int_relevance_graded
    inner join targets
        on
            int_relevance_graded.mode = targets.mode
            and int_relevance_graded.item_id = targets.item_id
            and int_relevance_graded.unit = targets.unit
    where int_relevance_graded.grade > 0
    group by
        targets.target_id,
        int_relevance_graded.passage_id,
        int_relevance_graded.evidence_id

),

evidence_placed as (

    select
        grouped.list_id,
        grouped.rank,
        grouped.first_tied_rank,
        relevant.grade,
        grouped.rank = min(grouped.rank) over (
            partition by grouped.list_id, relevant.evidence_id
        ) as is_first
    from grouped
    inner join relevant
        on
            grouped.target_id = relevant.target_id
            and grouped.passage_id = relevant.passage_id

),

passages_graded as (

    select
        list_id,
        rank,
        first_tied_rank,
        max(grade) filter (where is_first) as grade
    from evidence_placed
    group by list_id, rank, first_tied_rank

),

repeats as (

    select *
    from passages_graded
    where grade is null

),

repeats_passed as (

    select
        grouped.list_id,
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
            grouped.list_id = repeats.list_id
            and (
                grouped.rank > repeats.rank
                or grouped.first_tied_rank = repeats.first_tied_rank
            )
    group by grouped.list_id, grouped.rank

)

select
    lists.mode,
    lists.system_id,
    lists.gold_set,
    lists.item_id,
    lists.unit,
    grouped.passage_id,
    grouped.score,
    grouped.rank,
    grouped.n_tied,
    grouped.first_tied_rank,
    coalesce(passages_graded.grade, 0) as grade,
    passages_graded.list_id is not null and passages_graded.grade is null
        as is_repeat,
    grouped.rank - coalesce(repeats_passed.n_before, 0) as scored_rank,
    grouped.first_tied_rank - coalesce(repeats_passed.n_before_ties, 0)
        as scored_first_tied_rank,
    grouped.n_tied - coalesce(repeats_passed.n_in_ties, 0) as scored_n_tied
from grouped
inner join lists
    on grouped.list_id = lists.list_id
left join passages_graded
    on
        grouped.list_id = passages_graded.list_id
        and grouped.rank = passages_graded.rank
left join repeats_passed
    on
        grouped.list_id = repeats_passed.list_id
        and grouped.rank = repeats_passed.rank
