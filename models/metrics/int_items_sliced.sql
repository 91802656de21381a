with

int_items_judged as (

    select * from {{ ref('int_items_judged') }}

),

companies as (

    select * from {{ ref('companies') }}

)

select
    item_id,
    gold_set,
    filing_id,
    'overall' as slice_name,
    'all' as slice_value
from int_items_judged

union all

select
    item_id,
    gold_set,
    filing_id,
    'length_bucket' as slice_name,
    length_bucket as slice_value
from int_items_judged

union all

select
    item_id,
    gold_set,
    filing_id,
    'section' as slice_name,
    section_name as slice_value
from int_items_judged

union all

select
    int_items_judged.item_id,
    int_items_judged.gold_set,
    int_items_judged.filing_id,
    'company' as slice_name,
    -- A name may change, and two companies may share one; the number does neither.
    companies.company_name || ' (CIK ' || companies.cik_int || ')' as slice_value
from int_items_judged
inner join companies
    on int_items_judged.cik_int = companies.cik_int
