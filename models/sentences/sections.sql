with

int_sections_measured as (

    select * from {{ ref('int_sections_measured') }}

),

int_sections_exploded as (

    select * from {{ ref('int_sections_exploded') }}

),

filings as (

    select * from {{ ref('filings') }}

)

select
    int_sections_measured.section_id,
    int_sections_measured.filing_id,
    filings.cik_int,
    filings.report_year,
    'ITEM_' || int_sections_measured.item as section_name,
    int_sections_measured.section_length,
    {{ length_bucket('int_sections_measured.section_length') }} as length_bucket,
    int_sections_measured.n_characters,
    int_sections_exploded.section_text
from int_sections_measured
inner join filings
    on int_sections_measured.filing_id = filings.filing_id
-- A ready sentence table brings no section text.
left join int_sections_exploded
    on int_sections_measured.section_id = int_sections_exploded.section_id
