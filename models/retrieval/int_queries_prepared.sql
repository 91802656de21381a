with

items as (

    select * from {{ ref('items') }}

),

parsed_questions as (

    select * from {{ ref('parsed_questions') }}

),

companies as (

    select * from {{ ref('companies') }}

),

companies_read as (

    select
        item_id,
        unnest(cik_ints) as cik_int
    from parsed_questions

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
    parsed_questions.topic_text,
    parsed_questions.cik_ints,
    parsed_questions.years,
    parsed_questions.section_names,
    parsed_questions.forms,
    parsed_questions.segments,
    names_read.company_names
from items
-- A public set is searched with the words of its questions: companies and years of the
-- filings are nothing to search it by.
left join parsed_questions
    on
        items.item_id = parsed_questions.item_id
        and items.corpus_id = 'filings'
left join names_read
    on parsed_questions.item_id = names_read.item_id
