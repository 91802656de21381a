{#-
    The places where the figures of a table question stand: the cell, its row, and every other
    cell of the filing that gives the same value under the same name and period.
-#}
with

int_p3_drawn as (

    select * from {{ ref('int_p3_drawn') }}

),

int_p3_cells as (

    select * from {{ ref('int_p3_cells') }}

),

asked as (

    select
        question_id,
        unnest(evidence_cell_ids) as cell_id
    from int_p3_drawn
    where category = 'T'

),

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
            and evident.figure_key = same.figure_key
    where same.rejected_for is null

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

)

select
    question_id,
    evidence_id,
    passage_id,
    unit
from judged
group by question_id, evidence_id, passage_id, unit
