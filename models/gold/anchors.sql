with

int_anchor_candidates as (

    select * from {{ ref('int_anchor_candidates') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

p1_candidates as (

    select *
    from int_anchor_candidates
    where section_length >= {{ var('p1_min_section_length') | int }}

),

p1_drawn as (

    {{ draw_stratified('p1_candidates', var('p1_anchor_count'), 'p1') }}

),

p2_drawn as (

    {{ draw_stratified('int_anchor_candidates', var('p2_anchor_count'), 'p2') }}

),

drawn as (

    select
        'p1' as gold_set,
        sentence_id,
        stratum_id
    from p1_drawn

    union all

    select
        'p2' as gold_set,
        sentence_id,
        stratum_id
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
    drawn.stratum_id
from drawn
inner join sentences
    on drawn.sentence_id = sentences.sentence_id
