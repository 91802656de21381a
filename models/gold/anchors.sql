with

sentences as (

    select * from {{ ref('sentences') }}

),

tables as (

    select * from {{ ref('tables') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

passages as (

    select * from {{ ref('passages') }}

),

-- Narrow on purpose: the draw sorts every candidate, and text would be sorted along.
candidates as (

    select
        sentence_id,
        section_length,
        cik_int || '|' || report_year || '|' || section_id || '|'
        || {{ length_bucket('section_length') }} as stratum_id
    from sentences
    where
        not is_toc
        and not is_heading
        and not is_navigational
        -- No exhibit is the filing's own text, and no mark a sentence.
        and is_exhibit is not true
        and {{ regex_is('sentence_text', 'has_word') }} is not false

),

p1_candidates as (

    select *
    from candidates
    where section_length >= {{ var('p1_min_section_length') | int }}

),

p1_drawn as (

    {{ draw_stratified('p1_candidates', var('p1_anchor_count'), 'p1') }}

),

p2_drawn as (

    {{ draw_stratified('candidates', var('p2_anchor_count'), 'p2') }}

),

-- Drawn by its own id, a cell stands in the column that the draw looks at.
cell_candidates as (

    select
        table_cells.cell_id as sentence_id,
        table_cells.sentence_id as row_sentence_id,
        sentences.cik_int || '|' || sentences.report_year || '|'
        || {{ length_bucket('tables.n_rows') }} as stratum_id
    from table_cells
    inner join tables
        on table_cells.table_id = tables.table_id
    inner join sentences
        on table_cells.sentence_id = sentences.sentence_id
    where
        table_cells.kind = 'number'
        and not table_cells.is_header
        and not table_cells.is_label
        and not tables.is_layout

),

cells_drawn as (

    {{ draw_stratified('cell_candidates', var('p1_cell_anchor_count'), 'p1_cells') }}

),

frozen as (

    {{ own_frozen_anchors() }}

),

-- A sentence that reads otherwise now is another anchor.
frozen_there as (

    select
        candidates.sentence_id,
        candidates.stratum_id,
        max(frozen.n_sentences) as n_sentences
    from candidates
    inner join sentences
        on candidates.sentence_id = sentences.sentence_id
    inner join frozen
        on
            sentences.sentence_id = frozen.sentence_id
            and sentences.sentence_text = frozen.sentence_text
    group by candidates.sentence_id, candidates.stratum_id

),

drawn as (

    select
        'p1' as gold_set,
        sentence_id,
        stratum_id,
        n_sentences
    from frozen_there

    union all

    select
        'p1' as gold_set,
        p1_drawn.sentence_id,
        p1_drawn.stratum_id,
        cast(null as bigint) as n_sentences
    from p1_drawn
    left join frozen_there
        on p1_drawn.sentence_id = frozen_there.sentence_id
    where frozen_there.sentence_id is null

    union all

    select
        'p2' as gold_set,
        sentence_id,
        stratum_id,
        cast(null as bigint) as n_sentences
    from p2_drawn

)

select
    drawn.gold_set || ':' || drawn.sentence_id as item_id,
    drawn.gold_set,
    drawn.sentence_id,
    sentences.cik_int,
    sentences.company_name,
    sentences.report_year,
    sentences.filing_id,
    sentences.section_id,
    sentences.section_name,
    sentences.section_length,
    {{ length_bucket('sentences.section_length') }} as length_bucket,
    sentences.sentence_pos,
    sentences.sentence_text,
    sentences.text_hash,
    drawn.stratum_id,
    drawn.n_sentences as frozen_among,
    cast(null as varchar) as cell_id
from drawn
inner join sentences
    on drawn.sentence_id = sentences.sentence_id

union all

select
    'p1_cells:' || cells_drawn.sentence_id as item_id,
    'p1_cells' as gold_set,
    sentences.sentence_id,
    sentences.cik_int,
    sentences.company_name,
    sentences.report_year,
    sentences.filing_id,
    sentences.section_id,
    sentences.section_name,
    sentences.section_length,
    {{ length_bucket('sentences.section_length') }} as length_bucket,
    sentences.sentence_pos,
    passages.passage_text as sentence_text,
    passages.text_hash,
    cells_drawn.stratum_id,
    cast(null as bigint) as frozen_among,
    cells_drawn.sentence_id as cell_id
from cells_drawn
inner join sentences
    on cells_drawn.row_sentence_id = sentences.sentence_id
inner join passages
    on cells_drawn.sentence_id = passages.passage_id
