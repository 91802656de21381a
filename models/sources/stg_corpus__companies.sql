with

py_company_names_read as (

    select * from {{ ref('py_company_names_read') }}

),

first_line_of_a_company as (

    select
        cik_int,
        company_name,
        ticker,
        source_line
    from py_company_names_read
    qualify row_number() over (partition by cik_int order by source_line) = 1

)

select * from first_line_of_a_company
