with

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

unnested as (

    select
        filing_id,
        {{ unnest_structs('facts') }}
    from stg_corpus__filings

)

select
    {{ part_key('filing_id', 'part_pos') }} || '_f' || fact_pos as fact_id,
    filing_id,
    verdict,
    value as value_tagged,
    value_read,
    is_period_right,
    reason
from unnested
