with

int_lines_prepared as (

    select * from {{ ref('int_lines_prepared') }}

),

blocks as (

    select * from {{ ref('blocks') }}

),

sections as (

    select * from {{ ref('sections') }}

)

select
    blocks.filing_id,
    blocks.part_id,
    blocks.block_pos,
    blocks.block_id,
    blocks.kind,
    blocks.block_text,
    blocks.heading_path,
    blocks.note_kind,
    sections.section_name
from blocks
left join sections
    on blocks.section_id = sections.section_id
where
    blocks.filing_id in (
        select int_lines_prepared.filing_id from int_lines_prepared
    )
