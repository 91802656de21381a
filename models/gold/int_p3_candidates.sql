with

gathered as (

    select *
    from {{ ref('int_p3_factoids') }}

    union all

    select *
    from {{ ref('int_p3_causes') }}

    union all

    select *
    from {{ ref('int_p3_risks') }}

    union all

    select *
    from {{ ref('int_p3_trends') }}

    union all

    select *
    from {{ ref('int_p3_peers') }}

    union all

    select *
    from {{ ref('int_p3_lists') }}

    union all

    select *
    from {{ ref('int_p3_attributions') }}

    union all

    select *
    from {{ ref('int_p3_definitions') }}

    union all

    select *
    from {{ ref('int_p3_periods') }}

    union all

    select *
    from {{ ref('int_p3_absences') }}

    union all

    select *
    from {{ ref('int_p3_changes') }}

)

select * from gathered
