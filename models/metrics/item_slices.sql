with

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

int_items_excluded as (

    select * from {{ ref('int_items_excluded') }}

),

companies as (

    select * from {{ ref('companies') }}

),

-- What gates read: questions flagged as bad are counted elsewhere, not here.
sound as (

    select int_items_graded.*
    from int_items_graded
    anti join int_items_excluded
        on int_items_graded.item_id = int_items_excluded.item_id

)

select
    item_id,
    gold_set,
    cluster_id,
    'overall' as slice_name,
    'all' as slice_value
from int_items_graded

union all

select
    item_id,
    gold_set,
    cluster_id,
    'length_bucket' as slice_name,
    length_bucket as slice_value
from int_items_graded
where length_bucket is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'frozen' as slice_name,
    'all' as slice_value
from int_items_graded
where is_frozen

union all

select
    item_id,
    gold_set,
    cluster_id,
    'section' as slice_name,
    section_name as slice_value
from int_items_graded
where section_name is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'sound' as slice_name,
    'all' as slice_value
from sound
where {{ gold_set_is('filings', 'gold_set') }}

union all

select
    item_id,
    gold_set,
    cluster_id,
    'scope' as slice_name,
    scope as slice_value
from int_items_graded
where scope is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'sound_scope' as slice_name,
    scope as slice_value
from sound
where scope is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'difficulty' as slice_name,
    difficulty as slice_value
from int_items_graded
where difficulty is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'scope_difficulty' as slice_name,
    scope || ' ' || difficulty as slice_value
from int_items_graded
where
    scope is not null
    and difficulty is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'category' as slice_name,
    category as slice_value
from int_items_graded
where category is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'answer_type' as slice_name,
    answer_type as slice_value
from int_items_graded
where answer_type is not null

union all

-- A file is a part of a public set, such as dev or test: a paper reports one of them.
select
    item_id,
    gold_set,
    cluster_id,
    'file' as slice_name,
    source_file as slice_value
from int_items_graded
where source_file is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'quarter' as slice_name,
    original_fields ->> '$.metadata.quarter' as slice_value
from int_items_graded
where (original_fields ->> '$.metadata.quarter') is not null

union all

-- A question of two types of documents is in the slice of each.
select distinct
    item_id,
    gold_set,
    cluster_id,
    'doc_type' as slice_name,
    unnest((original_fields ->> '$.metadata.doc_types[*]')) as slice_value
from int_items_graded

union all

select
    item_id,
    gold_set,
    cluster_id,
    'year' as slice_name,
    cast(report_year as varchar) as slice_value
from int_items_graded
where report_year is not null

union all

select
    int_items_graded.item_id,
    int_items_graded.gold_set,
    int_items_graded.cluster_id,
    'company' as slice_name,
    -- A name may change, and two companies may share one; the number does neither.
    companies.company_name || ' (CIK ' || companies.cik_int || ')' as slice_value
from int_items_graded
inner join companies
    on int_items_graded.cik_int = companies.cik_int
