with

int_items_judged as (

    select * from {{ ref('int_items_judged') }}

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
    item_id,
    gold_set,
    filing_id,
    'company' as slice_name,
    company_name as slice_value
from int_items_judged
