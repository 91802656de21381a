{#-
    The places where the figures of a question on tables or lines stand: the cell, its row, and every other
    cell of the filing that prints the same figure, under whatever group and whether or not a
    question may rest on it. A fact of running text also stands where the filer tags it again.
-#}
with

int_p3_drawn as (

    select * from {{ ref('int_p3_drawn') }}

),

int_p3_cells as (

    select * from {{ ref('int_p3_cells') }}

),

facts as (

    select * from {{ ref('facts') }}

),

asked as (

    select
        question_id,
        unnest(evidence_cell_ids) as cell_id
    from int_p3_drawn
    where category in ('M', 'T')

),

-- The start of a period is often left unprinted.
places as (

    select
        asked.question_id,
        evident.cell_id as evidence_id,
        evident.sentence_id as evidence_sentence_id,
        same.cell_id,
        same.row_id,
        same.sentence_id
    from asked
    inner join int_p3_cells as evident
        on asked.cell_id = evident.cell_id
    inner join int_p3_cells as same
        on
            evident.filing_id = same.filing_id
            and lower(evident.label) = lower(same.label)
            and evident.column_names = same.column_names
            and evident.unit = same.unit
            and evident.period_end = same.period_end
            and abs(evident.value - same.value)
            <= evident.half_width + same.half_width
    where
        evident.period_start is null
        or same.period_start is null
        or evident.period_start = same.period_start

),

asked_in_text as (

    select
        question_id,
        tolerance,
        evidence_cell_ids,
        unnest(evidence_fact_ids) as fact_id
    from int_p3_drawn
    where category = 'T'

),

-- Where a question asks for both text and table, no cell stands for the text.
places_of_facts as (

    select
        asked_in_text.question_id,
        evident.sentence_id as evidence_sentence_id,
        same.cell_id,
        same.sentence_id
    from asked_in_text
    inner join facts as evident
        on asked_in_text.fact_id = evident.fact_id
    inner join facts as same
        on
            evident.filing_id = same.filing_id
            and evident.concept = same.concept
            and evident.unit = same.unit
            and evident.period_end = same.period_end
            and evident.period_start is not distinct from same.period_start
            and abs(evident.value - same.value)
            <= asked_in_text.tolerance
            + {{ half_unit('same.value_text', 'same.scale') }}
    where
        {{ list_length('same.dimensions') }} = 0
        and (
            same.cell_id is null
            or {{ list_length('asked_in_text.evidence_cell_ids') }} = 0
        )

),

-- Evidence is counted once a unit: rows under the sentence that the row is.
judged as (

    select
        question_id,
        evidence_id,
        cell_id as passage_id,
        'cell' as unit
    from places

    union all

    select
        question_id,
        evidence_sentence_id as evidence_id,
        row_id as passage_id,
        'row' as unit
    from places

    union all

    -- The sentence itself stands among the evidence of all questions.
    select
        question_id,
        evidence_sentence_id as evidence_id,
        sentence_id as passage_id,
        'sentence' as unit
    from places
    where sentence_id <> evidence_sentence_id

    union all

    select
        question_id,
        evidence_sentence_id as evidence_id,
        sentence_id as passage_id,
        'sentence' as unit
    from places_of_facts
    where sentence_id <> evidence_sentence_id

    union all

    select
        places_of_facts.question_id,
        places_of_facts.evidence_sentence_id as evidence_id,
        int_p3_cells.row_id as passage_id,
        'row' as unit
    from places_of_facts
    inner join int_p3_cells
        on places_of_facts.cell_id = int_p3_cells.cell_id

    union all

    select
        question_id,
        evidence_sentence_id as evidence_id,
        cell_id as passage_id,
        'cell' as unit
    from places_of_facts
    where cell_id is not null

)

select
    question_id,
    evidence_id,
    passage_id,
    unit
from judged
group by question_id, evidence_id, passage_id, unit
