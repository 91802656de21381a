{#-
    What a system makes of lines of revenue that a reader looked for in the filing: whether
    its status is right, whether what it describes is right, whether what is defined is found.
    A description is right if it quotes a block that the reader named.
-#}
with

line_systems as (

    select * from {{ ref('line_systems') }}

),

line_descriptions as (

    select * from {{ ref('line_descriptions') }}

),

line_labels as (

    select *
    from {{ ref('line_labels') }}
    where item_id is not null

),

items as (

    select * from {{ ref('items') }}

),

metric_catalogue as (

    select *
    from {{ ref('metric_catalogue') }}
    where measured_by = 'labels'

),

judged as (

    select
        line_systems.system_id,
        items.gold_set,
        items.item_id,
        line_labels.is_defined,
        coalesce(line_descriptions.status, 'not_run') as status,
        coalesce(
            line_descriptions.status = 'described'
            and list_has_any(line_descriptions.block_ids, line_labels.block_ids),
            false
        ) as is_right_text
    from line_systems
    cross join line_labels
    inner join items
        on line_labels.item_id = items.item_id
    left join line_descriptions
        on
            line_systems.system_id = line_descriptions.system_id
            and line_labels.revenue_line_id = line_descriptions.revenue_line_id

),

-- What is not defined cannot be found, and what is not described is no wrong text.
valued as (

    select
        judged.system_id,
        judged.gold_set,
        judged.item_id,
        metric_catalogue.metric,
        metric_catalogue.k,
        metric_catalogue.unit,
        metric_catalogue.mode,
        case
            when metric_catalogue.needs_gold and not judged.is_defined then 'uncovered'
            when judged.status = 'not_run' then 'not_run'
            when judged.status = 'failed' and not metric_catalogue.counts_failure
                then 'failed'
            when
                judged.status <> 'described'
                and not metric_catalogue.counts_abstention
                then 'abstained'
            else 'evaluated'
        end as value_status,
        cast(
            judged.is_right_text
            or (
                metric_catalogue.metric = 'line_status_right'
                and judged.status = 'not_described'
                and not judged.is_defined
            ) as double
        ) as measured_value
    from judged
    cross join metric_catalogue

)

select
    system_id,
    gold_set,
    item_id,
    metric,
    k,
    unit,
    mode,
    value_status,
    case when value_status = 'evaluated' then measured_value end as value
from valued
