with

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

unnested as (

    select
        filing_id,
        {{ unnest_structs('tables') }}
    from stg_corpus__filings

)

select
    {{ block_key('filing_id', 'part_pos', 'block_pos', 't') }} as table_id,
    {{ block_key('filing_id', 'part_pos', 'block_pos') }} as block_id,
    filing_id,
    caption,
    lead_in,
    header_rows,
    n_rows,
    n_cols,
    unit,
    scale,
    scale_source,
    footnotes,
    is_layout
from unnested
