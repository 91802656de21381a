with

query_stages as (

    select *
    from {{ ref('query_stages') }}
    where unit = 'sentence'

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

answers as (

    select *
    from {{ ref('answers') }}
    where gold_set = 'p3'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

)

select
    {{ question_page_id('items.gold_set', 'items.item_id') }} as page_id,
    query_stages.system_id,
    query_stages.stage_pos as step_pos,
    query_stages.stage as step,
    query_stages.n_in,
    query_stages.n_out,
    query_stages.latency_ms
from query_stages
inner join items
    on query_stages.item_id = items.item_id
inner join answers
    on
        query_stages.system_id = answers.system_id
        and items.gold_set = answers.gold_set
        and query_stages.item_id = answers.item_id
inner join registered_systems
    on
        query_stages.system_id = registered_systems.system_id
        and not registered_systems.is_null
order by page_id, query_stages.system_id, query_stages.stage_pos
