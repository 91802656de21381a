-- What does dense open search return instead of the neighbours? The hardest anchors:
-- query, nearest gold, and what came first.
-- Read gold_text beside top_text: where both would do, the gold is narrow; where
-- top_text is of another company or year, the index lacks a filter. first_gold_rank is
-- empty where no gold was found within the stored depth.
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
