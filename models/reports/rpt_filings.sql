{#-
    Every filing of the corpus, with the questions asked about it. Those most asked about have a
    page, up to the variable filings_shown. Its address at the SEC is known where its accession
    number is, of the filing itself or in the name of its file.
-#}
with

filings as (

    select * from {{ ref('filings') }}

),

filing_parts as (

    select * from {{ ref('filing_parts') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

int_filing_marks as (

    select * from {{ ref('int_filing_marks') }}

),

marks as (

    select
        sentences.filing_id,
        int_filing_marks.*
    from int_filing_marks
    inner join sentences
        on int_filing_marks.sentence_id = sentences.sentence_id

),

asked as (

    select
        filing_id,
        count(distinct page_id) filter (where is_evidence) as n_questions,
        count(distinct page_id || ' ' || sentence_id) filter (where is_evidence)
            as n_evidence
    from marks
    group by filing_id

),

best as (

    select
        filing_id,
        system_id as best_system_id,
        count(*) filter (where is_found) as n_best_found
    from marks
    where
        is_evidence
        and system_id is not null
    group by filing_id, system_id
    qualify
        row_number() over (
            partition by filing_id order by n_best_found desc, system_id asc
        ) = 1

),

accessions as (

    select
        filings.filing_id,
        coalesce(
            min(filing_parts.accession),
            regexp_extract(min(filings.filing_name), '[0-9]{10}-[0-9]{2}-[0-9]{6}')
        ) as accession
    from filings
    left join filing_parts
        on filings.filing_id = filing_parts.filing_id
    group by filings.filing_id

),

placed as (

    select
        filings.*,
        coalesce(asked.n_questions, 0) as n_questions,
        coalesce(asked.n_evidence, 0) as n_evidence,
        best.best_system_id,
        best.n_best_found,
        accessions.accession,
        row_number() over (
            order by coalesce(asked.n_questions, 0) desc, filings.filing_id asc
        ) as place
    from filings
    inner join accessions
        on filings.filing_id = accessions.filing_id
    left join asked
        on filings.filing_id = asked.filing_id
    left join best
        on filings.filing_id = best.filing_id

)

select
    filing_id,
    case
        when place <= {{ var('filings_shown') }} and n_sentences > 0
            then {{ filing_page_id('filing_id') }}
    end as page_id,
    cast(place as integer) as place,
    company_name,
    form,
    report_year,
    cast(fiscal_year_end as varchar) as fiscal_year_end,
    company_name || ', ' || form || ', fiscal ' || report_year as filing_text,
    n_sections,
    n_sentences,
    n_questions,
    n_evidence,
    best_system_id,
    n_best_found,
    source_file || coalesce(', record ' || source_line, '') as source_text,
    case
        when regexp_full_match(accession, '[0-9]{10}-[0-9]{2}-[0-9]{6}')
            then
                'https://www.sec.gov/Archives/edgar/data/' || cik_int || '/'
                || replace(accession, '-', '') || '/'
    end as source_url
from placed
