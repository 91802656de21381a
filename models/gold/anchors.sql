with

int_anchor_candidates as (

    select * from {{ ref('int_anchor_candidates') }}

),

p1_candidates as (

    select *
    from int_anchor_candidates
    where section_length >= {{ var('p1_min_section_length') }}

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
        *
    from p1_drawn

    union all

    select
        'p2' as gold_set,
        *
    from p2_drawn

)

select
    gold_set || ':' || sentence_id as item_id,
    gold_set,
    sentence_id,
    cik_int,
    company_name,
    report_year,
    filing_id,
    section_id,
    section_name,
    section_length,
    length_bucket,
    sentence_pos,
    sentence_text,
    text_hash,
    stratum_id
from drawn
