with

runs as (

    select * from {{ ref('runs') }}

),

metric_values as (

    select * from {{ ref('metric_values') }}

),

int_items_sliced as (

    select * from {{ ref('int_items_sliced') }}

),

described as (

    select
        item_id,
        max(slice_value) filter (where slice_name = 'company') as company,
        max(slice_value) filter (where slice_name = 'section') as section_name,
        max(slice_value) filter (where slice_name = 'length_bucket') as length_bucket,
        max(slice_value) filter (where slice_name = 'category') as category,
        max(slice_value) filter (where slice_name = 'difficulty') as difficulty,
        max(slice_value) filter (where slice_name = 'scope') as scope
    from int_items_sliced
    group by item_id

)

select
    concat_ws(
        '|',
        metric_values.system_id,
        metric_values.item_id,
        metric_values.metric,
        cast(metric_values.k as varchar),
        metric_values.unit,
        metric_values.mode
    ) as value_id,
    cast(runs.built_at as date) as built_on,
    metric_values.run_id,
    metric_values.system_id,
    metric_values.gold_set,
    metric_values.item_id,
    metric_values.metric,
    metric_values.k,
    metric_values.unit,
    metric_values.mode,
    metric_values.value,
    described.company,
    described.section_name,
    described.length_bucket,
    described.category,
    described.difficulty,
    described.scope
from metric_values
inner join runs
    on metric_values.run_id = runs.run_id
left join described
    on metric_values.item_id = described.item_id
