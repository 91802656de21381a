with

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

unnested as (

    select
        filing_id,
        {{ unnest_structs('parts') }}
    from stg_corpus__filings

)

select
    {{ part_key('filing_id', 'part_pos') }} as part_id,
    filing_id,
    part_pos,
    document_type,
    file_name,
    accession,
    content_hash,
    encoding,
    parser,
    n_bytes,
    n_blocks,
    n_tables,
    n_facts,
    flags
from unnested
