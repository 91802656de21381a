{#-
    The passages that count for a piece of evidence of an item: itself, a copy, another sentence
    that says the same, the row of a cell. What a set names and was not loaded stays, with the
    reason and without a passage. An operand of a gold program is evidence too: it is found
    where any of the passages is in which its number stands.
-#}
with

int_anchors_graded as (

    select * from {{ ref('int_anchors_graded') }}

),

int_cell_neighbours as (

    select * from {{ ref('int_cell_neighbours') }}

),

int_p3_evidence as (

    select * from {{ ref('int_p3_evidence') }}

),

int_p3_alternatives as (

    select * from {{ ref('int_p3_alternatives') }}

),

int_p3_cells_judged as (

    select * from {{ ref('int_p3_cells_judged') }}

),

int_judgments_mapped as (

    select * from {{ ref('int_judgments_mapped') }}

),

program_operands as (

    select * from {{ ref('program_operands') }}

),

passages as (

    select * from {{ ref('passages') }}

),

gold_p1 as (

    select * from {{ ref('gold_p1') }}

),

gold_p2 as (

    select * from {{ ref('gold_p2') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

-- The gold sets stand between the windows and the judgments, so that
-- `--select gold_p1+` reaches all that follows from a set.
filing_items as (

    select item_id
    from gold_p1

    union all

    select item_id
    from gold_p2

    union all

    select item_id
    from int_cell_neighbours
    group by item_id

    union all

    select {{ p3_gold_set('category') }} || ':' || question_id as item_id
    from gold_p3

),

-- A neighbour stands for itself alone; what a question needs, another sentence may say.
graded as (

    select
        gold_set,
        item_id,
        sentence_id as evidence_id,
        sentence_id as passage_id,
        'sentence' as unit,
        distance,
        false as is_topic
    from int_anchors_graded

    union all

    select
        gold_set,
        item_id,
        cell_id as evidence_id,
        cell_id as passage_id,
        'cell' as unit,
        distance,
        false as is_topic
    from int_cell_neighbours

    union all

    select
        {{ p3_gold_set('category') }} as gold_set,
        {{ p3_gold_set('category') }} || ':' || question_id as item_id,
        evidence_id,
        sentence_id as passage_id,
        'sentence' as unit,
        cast(null as integer) as distance,
        is_topic
    from int_p3_evidence

    union all

    select
        {{ p3_gold_set('gold_p3.category') }} as gold_set,
        {{ p3_gold_set('gold_p3.category') }} || ':' || gold_p3.question_id as item_id,
        int_p3_alternatives.evidence_id,
        int_p3_alternatives.sentence_id as passage_id,
        'sentence' as unit,
        cast(null as integer) as distance,
        cast(null as boolean) as is_topic
    from int_p3_alternatives
    inner join gold_p3
        on int_p3_alternatives.question_id = gold_p3.question_id

    union all

    select
        {{ p3_gold_set('gold_p3.category') }} as gold_set,
        {{ p3_gold_set('gold_p3.category') }} || ':' || gold_p3.question_id as item_id,
        int_p3_cells_judged.evidence_id,
        int_p3_cells_judged.passage_id,
        int_p3_cells_judged.unit,
        cast(null as integer) as distance,
        cast(null as boolean) as is_topic
    from int_p3_cells_judged
    inner join gold_p3
        on int_p3_cells_judged.question_id = gold_p3.question_id

),

-- A set may name a place twice: it is one piece of evidence, of the best grade.
named as (

    select
        gold_set,
        item_id,
        unit,
        coalesce(
            passage_id,
            named_passage_id,
            document || coalesce('#page-' || cast(page as varchar), ''),
            reference
        ) as evidence_id,
        max(found_by_passage_id) as passage_id,
        max(document_id) as document_id,
        max(document) as document,
        max(page) as page,
        max(grade) as grade,
        case
            when max(found_by_passage_id) is null and min(mapping) = 'mapped'
                then 'the row of the cell was not loaded'
            else min(mapping)
        end as mapping
    from int_judgments_mapped
    where mapping <> 'no such question'
    group by
        gold_set,
        item_id,
        unit,
        coalesce(
            passage_id,
            named_passage_id,
            document || coalesce('#page-' || cast(page as varchar), ''),
            reference
        )

),

operand_places as (

    select
        gold_set,
        item_id,
        'operand-' || step_pos || '-' || operand_pos as evidence_id,
        unnest(passage_ids) as passage_id
    from program_operands

),

operands_found as (

    select
        operand_places.gold_set,
        operand_places.item_id,
        operand_places.evidence_id,
        case
            when passages.is_rankable then passages.passage_id
            else passages.parent_id
        end as passage_id
    from operand_places
    inner join passages
        on operand_places.passage_id = passages.passage_id
    group by
        operand_places.gold_set,
        operand_places.item_id,
        operand_places.evidence_id,
        case
            when passages.is_rankable then passages.passage_id
            else passages.parent_id
        end

),

operands as (

    select
        program_operands.gold_set,
        program_operands.item_id,
        'operand-' || program_operands.step_pos || '-' || program_operands.operand_pos
            as evidence_id,
        operands_found.passage_id,
        case
            when operands_found.passage_id is not null then 'mapped'
            else 'it stands nowhere in the context'
        end as mapping
    from program_operands
    left join operands_found
        on
            program_operands.item_id = operands_found.item_id
            and 'operand-' || program_operands.step_pos || '-'
            || program_operands.operand_pos = operands_found.evidence_id

)

select
    graded.gold_set,
    graded.item_id,
    graded.evidence_id,
    graded.passage_id,
    graded.unit,
    'text' as evidence_kind,
    1 as grade,
    graded.distance,
    cast(null as varchar) as document_id,
    cast(null as varchar) as document,
    cast(null as integer) as page,
    'mapped' as mapping,
    coalesce(
        bool_or(graded.is_topic) over (
            partition by graded.item_id, graded.evidence_id
        ),
        false
    ) as is_topic
from graded
inner join filing_items
    on graded.item_id = filing_items.item_id

union all

select
    gold_set,
    item_id,
    evidence_id,
    passage_id,
    unit,
    'text' as evidence_kind,
    grade,
    cast(null as integer) as distance,
    document_id,
    document,
    page,
    mapping,
    false as is_topic
from named

union all

select
    gold_set,
    item_id,
    evidence_id,
    passage_id,
    'any' as unit,
    'operand' as evidence_kind,
    1 as grade,
    cast(null as integer) as distance,
    cast(null as varchar) as document_id,
    cast(null as varchar) as document,
    cast(null as integer) as page,
    mapping,
    false as is_topic
from operands
