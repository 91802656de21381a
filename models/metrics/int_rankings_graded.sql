{#-
    What rankings hold of the evidence, with its grade, the anchor left out. Metrics run over
    evidence: the first passage of a piece of evidence stands for it, later passages of the
    same evidence leave the list (is_repeat), and `scored_` columns are ranks and ties without
    them. A passage of several pieces of evidence has the best grade among those that it is the
    first to hold. Where a set brings qrels, its rankings stand here a second time, for mode
    `official`, in the order of trec_eval: by score, of equal scores by document id, both
    descending. It keeps scores in single precision, and so do these: what differs by less is
    a tie.
-#}
with

rankings as not materialized (

    select * from {{ ref('rankings') }}

),

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

int_relevance_graded as (

    select * from {{ ref('int_relevance_graded') }}

),

relevant as (

    select
        mode,
        item_id,
        unit,
        passage_id,
        evidence_id,
        max(grade) as grade
    from int_relevance_graded
    where grade > 0
    group by mode, item_id, unit, passage_id, evidence_id

),

anchors as (

    select
        item_id,
        sentence_id
    from int_items_graded
    where sentence_id is not null

),

items_of_qrels as (

    select item_id
    from int_relevance_graded
    where mode = 'official'
    group by item_id

),

-- Read three times rather than copied: of nearly a million rows few are evidence.
ranked as not materialized (

    select
        'finrag' as mode,
        system_id,
        gold_set,
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
        rankings.gold_set,
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

-- Evidence of another kind than the list, such as a cell in a list of rows, has no
-- grade; int_evidence_ranks looks for it.
evidence_ranked as (

    select
        ranked.*,
        relevant.evidence_id,
        case when ranked.unit = relevant.unit then relevant.grade end as grade
    from ranked
    inner join relevant
        on
            ranked.mode = relevant.mode
            and ranked.item_id = relevant.item_id
            and ranked.passage_id = relevant.passage_id

),

anchors_ranked as (

    select
        ranked.mode,
        ranked.system_id,
        ranked.item_id,
        ranked.unit,
        ranked.score,
        ranked.rank
    from ranked
    inner join anchors
        on
            ranked.item_id = anchors.item_id
            and ranked.passage_id = anchors.sentence_id

),

-- What has the score of a piece of evidence. In single precision more may tie than the
-- system counted; a result without a score is tied with nothing.
ties as (

    select
        ranked.mode,
        ranked.system_id,
        ranked.item_id,
        ranked.unit,
        ranked.score,
        count(*) as n_listed,
        min(ranked.rank) as first_rank
    from ranked
    semi join evidence_ranked
        on
            ranked.mode = evidence_ranked.mode
            and ranked.system_id = evidence_ranked.system_id
            and ranked.item_id = evidence_ranked.item_id
            and ranked.unit = evidence_ranked.unit
            and ranked.score = evidence_ranked.score
    group by
        ranked.mode,
        ranked.system_id,
        ranked.item_id,
        ranked.unit,
        ranked.score

),

-- Scores fall with the rank, so ties stand together; the anchor leaves its own.
without_anchor as (

    select
        evidence_ranked.mode,
        evidence_ranked.system_id,
        evidence_ranked.gold_set,
        evidence_ranked.item_id,
        evidence_ranked.unit,
        evidence_ranked.passage_id,
        evidence_ranked.evidence_id,
        evidence_ranked.grade,
        evidence_ranked.rank
        - coalesce(cast(evidence_ranked.rank > anchors_ranked.rank as integer), 0)
            as rank,
        coalesce(ties.first_rank, evidence_ranked.rank)
        - coalesce(cast(ties.first_rank > anchors_ranked.rank as integer), 0)
            as first_tied_rank,
        greatest(evidence_ranked.n_tied, coalesce(ties.n_listed, 1))
        - coalesce(cast(evidence_ranked.score = anchors_ranked.score as integer), 0)
            as n_tied
    from evidence_ranked
    left join anchors_ranked
        on
            evidence_ranked.mode = anchors_ranked.mode
            and evidence_ranked.system_id = anchors_ranked.system_id
            and evidence_ranked.item_id = anchors_ranked.item_id
            and evidence_ranked.unit = anchors_ranked.unit
    left join ties
        on
            evidence_ranked.mode = ties.mode
            and evidence_ranked.system_id = ties.system_id
            and evidence_ranked.item_id = ties.item_id
            and evidence_ranked.unit = ties.unit
            and evidence_ranked.score = ties.score
    where evidence_ranked.rank is distinct from anchors_ranked.rank

),

firsts as (

    select
        *,
        rank = min(rank) over (
            partition by mode, system_id, item_id, unit, grade is null, evidence_id
        ) as is_first
    from without_anchor

),

passages_graded as (

    select
        mode,
        system_id,
        gold_set,
        item_id,
        unit,
        passage_id,
        rank,
        first_tied_rank,
        n_tied,
        max(grade) filter (where is_first) as grade,
        max(grade) filter (where is_first) is null and max(grade) is not null
            as is_repeat
    from firsts
    group by
        mode,
        system_id,
        gold_set,
        item_id,
        unit,
        passage_id,
        rank,
        first_tied_rank,
        n_tied

)

select
    mode,
    system_id,
    gold_set,
    item_id,
    unit,
    passage_id,
    rank,
    n_tied,
    first_tied_rank,
    coalesce(grade, 0) as grade,
    is_repeat,
    rank - count(*) filter (where is_repeat) over (
        partition by mode, system_id, item_id, unit
        order by rank
    ) + cast(is_repeat as integer) as scored_rank,
    first_tied_rank - count(*) filter (where is_repeat) over (
        partition by mode, system_id, item_id, unit
        order by first_tied_rank
        range between unbounded preceding and 1 preceding
    ) as scored_first_tied_rank,
    n_tied - count(*) filter (where is_repeat) over (
        partition by mode, system_id, item_id, unit, first_tied_rank
    ) as scored_n_tied
from passages_graded
