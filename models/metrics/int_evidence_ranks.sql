{#-
    A piece of evidence is found where the first passage that stands for it is, in the list of
    that passage's kind: a cell in the list of rows, an operand in any. At best it opens its
    group of ties; at worst everything else comes before it. Kept from the group: its size and
    how many of its passages stand for the evidence. Two pieces of evidence in one passage,
    such as two cells of a row, share its place.
-#}
with

int_rankings_graded as (

    select * from {{ ref('int_rankings_graded') }}

),

int_relevance_graded as (

    select * from {{ ref('int_relevance_graded') }}

),

in_tie_groups as (

    select
        int_rankings_graded.mode,
        int_rankings_graded.system_id,
        int_rankings_graded.item_id,
        int_relevance_graded.evidence_kind,
        int_relevance_graded.unit,
        int_relevance_graded.evidence_id,
        int_rankings_graded.unit as list_unit,
        int_rankings_graded.first_tied_rank,
        max(int_rankings_graded.n_tied) as n_tied,
        count(*) as n_alternatives,
        min(int_rankings_graded.rank) as rank,
        min(int_rankings_graded.passage_id) as passage_id
    from int_rankings_graded
    inner join int_relevance_graded
        on
            int_rankings_graded.mode = int_relevance_graded.mode
            and int_rankings_graded.item_id = int_relevance_graded.item_id
            and int_rankings_graded.passage_id = int_relevance_graded.passage_id
            and int_relevance_graded.grade > 0
    where not {{ gold_set_is('anchors', 'int_rankings_graded.gold_set') }}
    group by
        int_rankings_graded.mode,
        int_rankings_graded.system_id,
        int_rankings_graded.item_id,
        int_relevance_graded.evidence_kind,
        int_relevance_graded.unit,
        int_relevance_graded.evidence_id,
        int_rankings_graded.unit,
        int_rankings_graded.first_tied_rank

),

-- What a later group of the same list repeats was found already.
first_groups as (

    select *
    from in_tie_groups
    qualify
        row_number() over (
            partition by
                mode,
                system_id,
                item_id,
                evidence_kind,
                unit,
                evidence_id,
                list_unit
            order by first_tied_rank
        ) = 1

),

shared_passages as (

    select
        mode,
        system_id,
        item_id,
        evidence_kind,
        unit,
        list_unit,
        first_tied_rank,
        passage_id,
        max(n_alternatives) as n_alternatives
    from first_groups
    group by
        mode,
        system_id,
        item_id,
        evidence_kind,
        unit,
        list_unit,
        first_tied_rank,
        passage_id

),

-- The evidence with the fewest alternatives can be kept back the longest.
placed as (

    select
        *,
        row_number() over (
            partition by
                mode,
                system_id,
                item_id,
                evidence_kind,
                unit,
                list_unit,
                first_tied_rank
            order by passage_id
        ) - 1 as n_before,
        sum(n_alternatives) over (
            partition by
                mode,
                system_id,
                item_id,
                evidence_kind,
                unit,
                list_unit,
                first_tied_rank
            order by n_alternatives, passage_id
            rows between unbounded preceding and current row
        ) as n_kept_back
    from shared_passages

),

in_lists as (

    select
        first_groups.*,
        first_groups.first_tied_rank + placed.n_before as rank_best,
        first_groups.first_tied_rank + first_groups.n_tied - placed.n_kept_back
            as rank_worst
    from first_groups
    inner join placed
        on
            first_groups.mode = placed.mode
            and first_groups.system_id = placed.system_id
            and first_groups.item_id = placed.item_id
            and first_groups.evidence_kind = placed.evidence_kind
            and first_groups.unit = placed.unit
            and first_groups.list_unit = placed.list_unit
            and first_groups.first_tied_rank = placed.first_tied_rank
            and first_groups.passage_id = placed.passage_id

)

-- An operand may be found in several lists: each bound is that of the best of them.
select
    mode,
    system_id,
    item_id,
    evidence_kind,
    unit,
    evidence_id,
    min(first_tied_rank) as first_tied_rank,
    min_by(n_tied, (first_tied_rank, list_unit)) as n_tied,
    min_by(n_alternatives, (first_tied_rank, list_unit)) as n_alternatives,
    min(rank) as rank,
    min(rank_best) as rank_best,
    min(rank_worst) as rank_worst
from in_lists
group by mode, system_id, item_id, evidence_kind, unit, evidence_id
