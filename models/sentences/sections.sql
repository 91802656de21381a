with

int_sections_found as (

    select * from {{ ref('int_sections_found') }}

),

companies as (

    select * from {{ ref('companies') }}

)

select
    int_sections_found.section_id,
    int_sections_found.filing_id,
    int_sections_found.cik_int,
    int_sections_found.report_year,
    int_sections_found.section_name,
    int_sections_found.section_length,
    int_sections_found.length_bucket,
    int_sections_found.n_characters,
    int_sections_found.section_title,
    concat_ws(
        ' ',
        companies.display_name,
        int_sections_found.report_year,
        int_sections_found.form,
        int_sections_found.section_title
    ) as context_text,
    int_sections_found.section_text,
    int_sections_found.heading_text,
    int_sections_found.method,
    int_sections_found.status,
    int_sections_found.score,
    int_sections_found.n_candidates,
    int_sections_found.combined_with,
    int_sections_found.exhibit_part_id,
    int_sections_found.notes
from int_sections_found
left join companies
    on int_sections_found.cik_int = companies.cik_int
