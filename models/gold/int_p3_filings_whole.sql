{#- Absence can be claimed only of a filing that is there in full. -#}
with

sections as (

    select * from {{ ref('sections') }}

)

select
    filing_id,
    cik_int,
    report_year
from sections
where section_length > 0
group by filing_id, cik_int, report_year
having
    max(case when section_name = 'ITEM_1' then section_length end) >= 20
    and max(case when section_name = 'ITEM_1A' then section_length end) >= 20
    and max(case when section_name = 'ITEM_7' then section_length end) >= 20
    and count(*) >= 8
    and max(
        case when section_name in ('ITEM_8', 'ITEM_15') then section_length end
    ) >= 50
