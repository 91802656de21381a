with

metric_values as (

    select * from {{ ref('metric_values') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

series as (

    select
        concat_ws(
            '|',
            'system',
            metric_values.system_id,
            metric_values.metric,
            cast(metric_values.k as varchar),
            metric_values.unit,
            metric_values.mode
        ) as series_id,
        metric_catalogue.value_kind = 'share' as is_share,
        metric_values.item_id,
        metric_values.value
    from metric_values
    inner join metric_catalogue
        on
            metric_values.metric = metric_catalogue.metric
            and metric_values.k = metric_catalogue.k
            and metric_values.unit = metric_catalogue.unit
            and metric_values.mode = metric_catalogue.mode
    where metric_values.value_status = 'evaluated'

)

select
    item_slices.gold_set,
    item_slices.slice_name,
    item_slices.slice_value,
    series.series_id,
    series.is_share,
    -- Shares have another interval; but a public set's documents are resampled all
    -- together.
    not series.is_share
    or {{ gold_set_is('public', 'item_slices.gold_set') }} as is_resampled,
    item_slices.cluster_id,
    {{ exact_sum('series.value') }} as value_sum,
    cast(count(*) as double) as value_count
from series
inner join item_slices
    on series.item_id = item_slices.item_id
group by
    item_slices.gold_set,
    item_slices.slice_name,
    item_slices.slice_value,
    series.series_id,
    series.is_share,
    item_slices.cluster_id
