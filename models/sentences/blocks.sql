with

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

unnested as (

    select
        filing_id,
        {{ unnest_structs('blocks') }}
    from stg_corpus__filings

)

select
    {{ block_key('filing_id', 'part_pos', 'block_pos') }} as block_id,
    {{ part_key('filing_id', 'part_pos') }} as part_id,
    filing_id,
    {{ section_key('filing_id', 'item') }} as section_id,
    block_pos,
    kind,
    heading_path,
    note_number,
    note_title,
    note_kind,
    text as block_text,
    char_start,
    char_end,
    source_start,
    source_end
from unnested
