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
        {{ unnest_structs('facts') }}
    from stg_corpus__filings

),

-- A hidden fact stands in no block, one in running text in no cell.
placed as (

    select
        unnested.*,
        blocks.block_id,
        blocks.section_id,
        {{ block_key('unnested.filing_id', 'part_pos', 'unnested.block_pos', 't') }}
            as table_id
    from unnested
    left join blocks
        on
            {{ block_key('unnested.filing_id', 'part_pos', 'unnested.block_pos') }}
            = blocks.block_id

)

select
    {{ part_key('placed.filing_id', 'placed.part_pos') }} || '_f' || placed.fact_pos
        as fact_id,
    {{ part_key('placed.filing_id', 'placed.part_pos') }} as part_id,
    placed.filing_id,
    placed.source,
    placed.concept,
    placed.value,
    placed.value_text,
    placed.unit,
    placed.decimals,
    placed.scale,
    placed.sign,
    placed.format,
    placed.is_nil,
    placed.is_hidden,
    placed.period_start,
    placed.period_end,
    placed.dimensions,
    placed.block_id,
    {{ cell_key('placed.table_id', 'placed.row_pos', 'placed.col_pos') }} as cell_id,
    sentences.sentence_id,
    placed.char_start,
    placed.char_end,
    placed.flags
from placed
asof left join sentences
    on
        placed.section_id = sentences.section_id
        and placed.char_start >= sentences.char_start
