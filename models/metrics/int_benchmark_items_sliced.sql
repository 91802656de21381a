{#- Questions of one document resemble each other: documents are resampled. -#}
with

items as (

    select *
    from {{ ref('items') }}
    where
        item_kind = 'question'
        and gold_set <> 'p3'

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where gold_set <> 'p3'

),

asked as (

    select
        items.item_id,
        items.gold_set,
        coalesce(items.document_id, items.item_id) as cluster_id,
        item_answers.answer_type,
        item_answers.category,
        item_answers.difficulty,
        item_answers.original_fields,
        item_answers.source_file
    from items
    inner join item_answers
        on items.item_id = item_answers.item_id

)

select
    item_id,
    gold_set,
    cluster_id,
    'overall' as slice_name,
    'all' as slice_value
from asked

union all

select
    item_id,
    gold_set,
    cluster_id,
    'answer_type' as slice_name,
    answer_type as slice_value
from asked
where answer_type is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'category' as slice_name,
    category as slice_value
from asked
where category is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'difficulty' as slice_name,
    difficulty as slice_value
from asked
where difficulty is not null

union all

-- A file is a part of the set, such as dev or test: a paper reports one of them.
select
    item_id,
    gold_set,
    cluster_id,
    'file' as slice_name,
    source_file as slice_value
from asked

union all

select
    item_id,
    gold_set,
    cluster_id,
    'quarter' as slice_name,
    original_fields ->> '$.metadata.quarter' as slice_value
from asked
where original_fields ->> '$.metadata.quarter' is not null

union all

-- A question of two types of documents is in the slice of each.
select distinct
    item_id,
    gold_set,
    cluster_id,
    'doc_type' as slice_name,
    {{ unnest_list("(original_fields ->> '$.metadata.doc_types[*]')", 'slice_value') }}
from asked
