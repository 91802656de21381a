with

int_p3_reviewed as (

    select * from {{ ref('int_p3_reviewed') }}

),

companies as (

    select * from {{ ref('companies') }}

),

-- Which questions get variants: a seeded draw, the same from build to build.
drawn as (

    select
        question_id,
        question_text,
        company_name,
        cik_int,
        years
    from int_p3_reviewed
    qualify
        row_number() over (
            order by {{ seeded_order('question_id', 'paraphrase') }}, question_id
        ) <= {{ var('paraphrase_limit') | int }}

),

-- A company that the corpus lacks keeps the name that its suite gives.
named as (

    select
        placed.question_id,
        list(
            coalesce(companies.display_name, placed.company_name) order by placed.place
        ) as display_names
    from (
        select
            question_id,
            cik_int,
            unnest(company_name) as company_name,
            generate_subscripts(company_name, 1) as place
        from drawn
    ) as placed
    left join companies
        on placed.cik_int[placed.place] = companies.cik_int
    group by placed.question_id

)

select
    drawn.question_id,
    drawn.question_text,
    drawn.company_name as company_names,
    coalesce(named.display_names, drawn.company_name) as display_names,
    drawn.years
from drawn
left join named
    on drawn.question_id = named.question_id
