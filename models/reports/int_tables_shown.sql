{#-
    Tables of filings that pages show: those in which a question has its gold or a system cited a
    row, and of each filing the first ones by disagreements between tags and print, up to the
    variable filing_tables_shown.
-#}
with

tables as (

    select * from {{ ref('tables') }}

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

facts as (

    select * from {{ ref('facts') }}

),

fact_audits as (

    select *
    from {{ ref('fact_audits') }}
    where verdict <> 'not_numeric'

),

rpt_question_cells as (

    select * from {{ ref('rpt_question_cells') }}

),

audited as (

    select
        table_cells.table_id,
        count(*) as n_audited,
        count(*) filter (where fact_audits.verdict <> 'agrees') as n_differing
    from facts
    inner join fact_audits
        on facts.fact_id = fact_audits.fact_id
    inner join table_cells
        on facts.cell_id = table_cells.cell_id
    group by table_cells.table_id

),

asked as (

    select table_id
    from rpt_question_cells
    group by table_id

)

select
    tables.table_id,
    tables.filing_id,
    asked.table_id is not null as is_asked,
    coalesce(audited.n_audited, 0) as n_audited,
    coalesce(audited.n_differing, 0) as n_differing,
    count(*) over (partition by tables.filing_id) as n_in_filing,
    row_number() over (
        partition by tables.filing_id
        order by
            coalesce(audited.n_differing, 0) desc,
            asked.table_id is null,
            {{ table_place('tables.table_id') }},
            tables.table_id
    ) as place
from tables
left join audited
    on tables.table_id = audited.table_id
left join asked
    on tables.table_id = asked.table_id
where not tables.is_layout
qualify is_asked or place <= {{ var('filing_tables_shown') }}
