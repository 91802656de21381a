with

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

blocks as (

    select * from {{ ref('blocks') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

unnested as (

    select
        filing_id,
        {{ unnest_structs('cells') }}
    from stg_corpus__filings

),

placed as (

    select
        unnested.*,
        {{ block_key('unnested.filing_id', 'part_pos', 'unnested.block_pos', 't') }}
            as table_id,
        blocks.section_id
    from unnested
    inner join blocks
        on
            {{ block_key('unnested.filing_id', 'part_pos', 'unnested.block_pos') }}
            = blocks.block_id

)

select
    {{ cell_key('placed.table_id', 'placed.row_pos', 'placed.col_pos') }} as cell_id,
    {{ cell_key('placed.table_id', 'placed.row_pos') }} as row_id,
    placed.table_id,
    placed.filing_id,
    placed.section_id,
    placed.row_pos,
    placed.col_pos,
    placed.row_path,
    placed.column_path,
    placed.text as cell_text,
    placed.kind,
    placed.value,
    placed.low,
    placed.high,
    placed.unit,
    placed.scale,
    placed.scale_source,
    placed.is_negative,
    placed.period_start,
    placed.period_end,
    placed.footnote_marks,
    placed.is_header,
    placed.is_label,
    sentences.sentence_id,
    placed.char_start,
    placed.char_end
from placed
-- The row in which it stands: the last sentence that begins at it or before it.
asof left join sentences
    on
        placed.section_id = sentences.section_id
        and placed.char_start >= sentences.char_start
