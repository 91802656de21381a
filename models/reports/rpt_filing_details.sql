{#-
    What was read of each filing as filed: its parts, its sections, the verdicts of its audits,
    the tables that pages show, and 40 facts outside tables at most that the print does not agree
    with. Corpora of items as text have no parts, and no rows here.
-#}
with

filing_parts as (

    select * from {{ ref('filing_parts') }}

),

filings as (

    select * from {{ ref('filings') }}

),

sections as (

    select * from {{ ref('sections') }}

),

fact_audits as (

    select * from {{ ref('fact_audits') }}

),

facts as (

    select * from {{ ref('facts') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

tables as (

    select * from {{ ref('tables') }}

),

int_tables_shown as (

    select * from {{ ref('int_tables_shown') }}

),

parts as (

    select
        filing_id,
        'part' as kind,
        part_id as detail_id,
        part_pos as position,
        concat_ws(', ', document_type, file_name) as name_text,
        nullif(array_to_string(flags, ', '), '') as status,
        concat_ws(', ', parser, encoding) as method,
        cast(null as double) as score,
        cast(n_facts as bigint) as n,
        cast(null as double) as share,
        n_blocks || ' blocks, ' || n_tables || ' tables, ' || n_bytes || ' bytes'
            as detail_text
    from filing_parts

),

read_sections as (

    select
        filing_id,
        'section' as kind,
        section_id as detail_id,
        row_number() over (
            partition by filing_id
            -- 2 stands before 10, and part I before part II.
            order by
                length(regexp_extract(section_name, '^[^0-9]*')),
                try_cast(regexp_extract(section_name, '[0-9]+') as integer),
                section_name
        ) as position,
        section_name as name_text,
        status,
        method,
        score,
        n_candidates as n,
        cast(null as double) as share,
        concat_ws(
            '; ',
            heading_text,
            'with ' || nullif(array_to_string(combined_with, ', '), ''),
            'in ' || exhibit_part_id
        ) as detail_text
    from sections
    where filing_id in (select filing_parts.filing_id from filing_parts)

),

-- Tags of an EX-27 and hidden ones: the document does not show them.
audits as (

    select
        fact_audits.fact_id,
        fact_audits.filing_id,
        fact_audits.reason,
        case
            when fact_audits.verdict = 'not_read' and facts.is_hidden then 'not_shown'
            else fact_audits.verdict
        end as verdict
    from fact_audits
    inner join facts
        on fact_audits.fact_id = facts.fact_id

),

-- A tag without a number or without print has nothing to compare, and no share.
verdicts as (

    select
        filing_id,
        'verdict' as kind,
        filing_id || '_' || verdict as detail_id,
        row_number() over (partition by filing_id order by count(*) desc, verdict)
            as position,
        verdict as name_text,
        verdict as status,
        cast(null as varchar) as method,
        cast(null as double) as score,
        count(*) as n,
        case
            when verdict not in ('not_numeric', 'not_shown')
                then
                    count(*) / sum(count(*)) filter (
                        where verdict not in ('not_numeric', 'not_shown')
                    ) over (partition by filing_id)
        end as share,
        cast(null as varchar) as detail_text
    from audits
    group by filing_id, verdict

),

shown as (

    select
        tables.filing_id,
        'table' as kind,
        tables.table_id as detail_id,
        int_tables_shown.place as position,
        coalesce(tables.caption, tables.lead_in, 'Table without a caption')
            as name_text,
        case when int_tables_shown.is_asked then 'asked about' end as status,
        tables.scale_source as method,
        cast(null as double) as score,
        int_tables_shown.n_differing as n,
        case
            when int_tables_shown.n_audited > 0
                then 1 - int_tables_shown.n_differing / int_tables_shown.n_audited
        end as share,
        tables.n_rows || ' rows × ' || tables.n_cols || ' columns, one of '
        || int_tables_shown.n_in_filing || ' tables' as detail_text
    from int_tables_shown
    inner join tables
        on int_tables_shown.table_id = tables.table_id

),

-- Those of tables stand with their cells.
in_text as (

    select
        facts.filing_id,
        'fact' as kind,
        facts.fact_id as detail_id,
        row_number() over (partition by facts.filing_id order by facts.fact_id)
            as position,
        facts.concept as name_text,
        audits.verdict as status,
        audits.reason as method,
        cast(null as double) as score,
        cast(null as bigint) as n,
        cast(null as double) as share,
        substr(coalesce(sentences.sentence_text, facts.value_text), 1, 300)
            as detail_text
    from facts
    inner join audits
        on facts.fact_id = audits.fact_id
    left join sentences
        on facts.sentence_id = sentences.sentence_id
    where
        facts.cell_id is null
        and audits.verdict not in ('agrees', 'not_numeric', 'not_shown')
    qualify position <= 40

),

unioned as (

    select * from parts
    union all
    select * from read_sections
    union all
    select * from verdicts
    union all
    select * from shown
    union all
    select * from in_text

)

select
    unioned.filing_id,
    filings.company_name || ', ' || filings.form || ', fiscal ' || filings.report_year
        as filing_name,
    unioned.kind,
    unioned.detail_id,
    cast(unioned.position as integer) as position,
    unioned.name_text,
    unioned.status,
    unioned.method,
    unioned.score,
    cast(unioned.n as bigint) as n,
    unioned.share,
    nullif(unioned.detail_text, '') as detail_text
from unioned
inner join filings
    on unioned.filing_id = filings.filing_id
