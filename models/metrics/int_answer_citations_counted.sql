with

int_citations_judged as (

    select * from {{ ref('int_citations_judged') }}

)

select
    system_id,
    item_id,
    count(*) as n_cited,
    count(*) filter (where is_relevant) as n_relevant,
    count(*) filter (where is_right_company and is_right_year) as n_right_filing,
    count(distinct evidence_id) as n_evidence_cited
from int_citations_judged
group by system_id, item_id
