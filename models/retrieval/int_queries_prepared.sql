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

)

select
    items.item_id,
    items.gold_set,
    items.item_kind,
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
    names_read.company_names
from items
-- A public set is searched with the words of its questions: companies and years of the
-- filings are nothing to search it by.
left join py_questions_read
    on
        items.item_id = py_questions_read.item_id
        and items.corpus_id = 'filings'
left join names_read
    on py_questions_read.item_id = names_read.item_id
