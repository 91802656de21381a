with

description_coverage as (

    select * from {{ ref('description_coverage') }}

),

line_systems as (

    select * from {{ ref('line_systems') }}

),

filings as (

    select * from {{ ref('filings') }}

)

select
    description_coverage.system_id,
    cast(
        dense_rank() over (
            order by
                line_systems.role is distinct from 'candidate',
                description_coverage.system_id
        ) as integer
    ) as system_pos,
    line_systems.description as system_text,
    description_coverage.filing_id,
    filings.company_name || ', ' || filings.form || ', fiscal ' || filings.report_year
    || coalesce(' to ' || filings.fiscal_year_end, '') as filing_name,
    description_coverage.n_lines,
    description_coverage.n_described,
    description_coverage.n_not_described,
    description_coverage.n_gate_failed,
    description_coverage.n_failed,
    description_coverage.coverage,
    description_coverage.coverage_before,
    description_coverage.coverage_delta,
    nullif(array_to_string(description_coverage.newly_missing, ', '), '')
        as newly_missing_text,
    nullif(array_to_string(description_coverage.newly_covered, ', '), '')
        as newly_covered_text
from description_coverage
inner join filings
    on description_coverage.filing_id = filings.filing_id
left join line_systems
    on description_coverage.system_id = line_systems.system_id
