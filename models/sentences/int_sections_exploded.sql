with

stg_corpus__filings as (

    select * from {{ ref('stg_corpus__filings') }}

),

exploded as (

    select
        filing_id,
        {{ unnest_sections('sections') }}
    from stg_corpus__filings

)

select
    {{ section_key('filing_id', 'item') }} as section_id,
    filing_id,
    item,
    section_text
from exploded
