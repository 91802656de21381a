with

py_items_ranked as (

    select * from {{ ref('py_items_ranked') }}

),

py_agents_run as (

    select * exclude (steps)
    from {{ ref('py_agents_run') }}

)

select * from py_items_ranked

union all by name

select * from py_agents_run
