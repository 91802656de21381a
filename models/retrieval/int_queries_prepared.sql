with

items as (

    select * from {{ ref('items') }}

),

py_questions_read as (

    select * from {{ ref('py_questions_read') }}

),

companies as (

    select * from {{ ref('companies') }}

),

section_titles as (

    select * from {{ ref('section_titles') }}

),

measure_terms as (

    select * from {{ ref('measure_terms') }}

),

page_terms as (

    select * from {{ ref('page_terms') }}

),

companies_read as (

    select
        item_id,
        unnest(cik_ints) as cik_int
    from py_questions_read

),

names as (

    select
        cik_int,
        display_name as name
    from companies

    union all

    select
        cik_int,
        unnest(aliases) as name
    from companies

),

names_read as (

    select
        companies_read.item_id,
        list(names.name order by names.cik_int, names.name) as company_names
    from companies_read
    inner join names
        on companies_read.cik_int = names.cik_int
    group by companies_read.item_id

),

-- What a context line of a filing that is asked for would have, in the line's own
-- order: the company as it is known whatever the question calls it, years, titles.
companies_named as (

    select
        companies_read.item_id,
        string_agg(companies.display_name, ' ' order by companies.cik_int)
            as companies_text
    from companies_read
    inner join companies
        on companies_read.cik_int = companies.cik_int
    group by companies_read.item_id

),

sections_read as (

    select
        item_id,
        unnest(section_names) as section_name
    from py_questions_read

),

sections_named as (

    select
        sections_read.item_id,
        string_agg(section_titles.title, ' ' order by section_titles.section_name)
            as titles_text
    from sections_read
    inner join section_titles
        on sections_read.section_name = section_titles.section_name
    group by sections_read.item_id

),

kpis_read as (

    select
        item_id,
        unnest(kpi_labels) as kpi_label
    from py_questions_read

),

measures_worded as (

    select
        kpis_read.item_id,
        list(
            measure_terms.term
            order by measure_terms.kpi_label, measure_terms.term_pos
        ) as measure_terms
    from kpis_read
    inner join measure_terms
        on kpis_read.kpi_label = measure_terms.kpi_label
    group by kpis_read.item_id

),

pages_read as (

    select
        item_id,
        unnest(page_kinds) as page_kind
    from py_questions_read

),

kinds_worded as (

    select
        pages_read.item_id,
        pages_read.page_kind,
        list(page_terms.term order by page_terms.term_pos) as terms
    from pages_read
    inner join page_terms
        on pages_read.page_kind = page_terms.page_kind
    group by pages_read.item_id, pages_read.page_kind

),

pages_worded as (

    select
        item_id,
        list(terms order by page_kind) as page_terms
    from kinds_worded
    group by item_id

)

select
    items.item_id,
    items.gold_set,
    (
        {{ gold_set_is('tables', 'items.gold_set') }}
        or {{ gold_set_is('cells', 'items.gold_set') }}
    ) as is_on_tables,
    items.item_kind,
    items.dialogue_id,
    items.turn,
    items.corpus_id,
    items.document_id,
    items.passage_id,
    items.question_text,
    py_questions_read.topic_text,
    py_questions_read.cik_ints,
    py_questions_read.years,
    py_questions_read.section_names,
    py_questions_read.forms,
    py_questions_read.segments,
    names_read.company_names,
    case
        when
            companies_named.companies_text is not null
            or len(py_questions_read.years) > 0
            then concat_ws(
                ' ',
                companies_named.companies_text,
                nullif(array_to_string(py_questions_read.years, ' '), ''),
                sections_named.titles_text
            )
    end as context_text,
    measures_worded.measure_terms,
    pages_worded.page_terms,
    py_questions_read.answer_form,
    py_questions_read.kpi_labels
from items
-- A public set is searched with the words of its questions: companies and years of the
-- filings are nothing to search it by.
left join py_questions_read
    on
        items.item_id = py_questions_read.item_id
        and items.corpus_id = 'filings'
left join names_read
    on py_questions_read.item_id = names_read.item_id
left join companies_named
    on py_questions_read.item_id = companies_named.item_id
left join sections_named
    on py_questions_read.item_id = sections_named.item_id
left join measures_worded
    on py_questions_read.item_id = measures_worded.item_id
-- What statements and notes say does not depend on whose they are.
left join pages_worded
    on items.item_id = pages_worded.item_id
