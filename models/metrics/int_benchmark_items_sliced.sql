{#- Questions of one document resemble each other: documents are resampled. -#}
with

benchmark_gold as (

    select * from {{ ref('benchmark_gold') }}

),

items as (

    select
        item_id,
        benchmark as gold_set,
        coalesce(document_id, item_id) as cluster_id,
        answer_type,
        category,
        difficulty,
        source_file
    from benchmark_gold

)

select
    item_id,
    gold_set,
    cluster_id,
    'overall' as slice_name,
    'all' as slice_value
from items

union all

select
    item_id,
    gold_set,
    cluster_id,
    'answer_type' as slice_name,
    answer_type as slice_value
from items
where answer_type is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'category' as slice_name,
    category as slice_value
from items
where category is not null

union all

select
    item_id,
    gold_set,
    cluster_id,
    'difficulty' as slice_name,
    difficulty as slice_value
from items
where difficulty is not null

union all

-- A file is a part of the set, such as dev or test: a paper reports one of them.
select
    item_id,
    gold_set,
    cluster_id,
    'file' as slice_name,
    source_file as slice_value
from items
