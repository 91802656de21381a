-- Where dense open search fails: query, nearest gold, and what came first instead.
with

hardest_cases as (

    select * from {{ ref('hardest_cases') }}

)

select
    hardness_rank,
    company_name,
    report_year,
    section_name,
    first_gold_rank,
    item_text,
    gold_text,
    top_text
from hardest_cases
where
    system_id = 'dense_open'
    and gold_set = 'p1'
order by hardness_rank
