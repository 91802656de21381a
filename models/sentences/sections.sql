with

sentences as (

    select * from {{ ref('sentences') }}

),

int_sections_exploded as (

    select * from {{ ref('int_sections_exploded') }}

),

measured as (

    select
        section_id,
        filing_id,
        cik_int,
        report_year,
        section_name,
        section_length,
        cast(sum(length(sentence_text)) as bigint) as n_characters
    from sentences
    group by
        section_id, filing_id, cik_int, report_year, section_name, section_length

)

select
    measured.section_id,
    measured.filing_id,
    measured.cik_int,
    measured.report_year,
    measured.section_name,
    measured.section_length,
    {{ length_bucket('measured.section_length') }} as length_bucket,
    measured.n_characters,
    int_sections_exploded.section_text
from measured
-- A ready sentence table brings no section text.
left join int_sections_exploded
    on measured.section_id = int_sections_exploded.section_id
