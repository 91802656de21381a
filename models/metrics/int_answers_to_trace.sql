with

answers as (

    select * from {{ ref('answers') }}

),

answer_citations as (

    select * from {{ ref('answer_citations') }}

),

items as (

    select *
    from {{ ref('items') }}
    where item_kind = 'question'

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

passages as (

    select *
    from {{ ref('passages') }}
    where unit <> 'chunk'

),

-- The heading of a table states the scale of its rows and cells.
tables as (

    select
        document_id,
        table_pos,
        passage_text as table_text
    from passages
    where unit = 'table'

),

table_cells as (

    select * from {{ ref('table_cells') }}

),

documents as (

    select * from {{ ref('documents') }}

),

companies as (

    select * from {{ ref('companies') }}

),

-- A sentence that is a row of a table states neither its columns nor its scale.
rows_of_sentences as (

    select
        table_cells.sentence_id,
        min_by(passages.passage_text, passages.passage_id) as row_text,
        min_by(tables.table_text, passages.passage_id) as table_text
    from table_cells
    inner join passages
        on table_cells.row_id = passages.passage_id
    inner join tables
        on
            passages.document_id = tables.document_id
            and passages.table_pos = tables.table_pos
    where
        table_cells.sentence_id in (
            select answer_citations.passage_id from answer_citations
        )
    group by table_cells.sentence_id

),

-- A citation of a passage that is not there stays, without a text.
cited as (

    select
        answer_citations.system_id,
        answer_citations.item_id,
        answer_citations.citation_pos,
        struct_pack(
            passage_id := coalesce(
                answer_citations.passage_id, answer_citations.named
            ),
            passage_text := passages.passage_text,
            names := [
                companies.display_name,
                documents.company_name,
                companies.company_name,
                companies.ticker
            ],
            aliases := companies.aliases,
            years := documents.years,
            quote := answer_citations.quote,
            table_text := coalesce(
                tables.table_text, rows_of_sentences.table_text
            ),
            row_text := rows_of_sentences.row_text
        ) as citation
    from answer_citations
    left join passages
        on answer_citations.passage_id = passages.passage_id
    left join tables
        on
            passages.document_id = tables.document_id
            and passages.table_pos = tables.table_pos
    left join rows_of_sentences
        on passages.passage_id = rows_of_sentences.sentence_id
    left join documents
        on passages.document_id = documents.document_id
    left join companies
        on documents.cik_int = companies.cik_int

),

listed as (

    select
        system_id,
        item_id,
        list(citation order by citation_pos) as citations
    from cited
    group by system_id, item_id

)

select
    answers.system_id,
    answers.gold_set,
    answers.item_id,
    items.question_text,
    answers.answer_text,
    answers.answer_form,
    listed.citations
from answers
left join items
    on answers.item_id = items.item_id
left join item_answers
    on answers.item_id = item_answers.item_id
left join listed
    on
        answers.system_id = listed.system_id
        and answers.item_id = listed.item_id
where
    answers.outcome = 'answered'
    and answers.answer_text is not null
    -- The steps of a program are executed, and state nothing that a passage could say.
    and (answers.program is null or answers.answer is not null)
    -- Who spoke is a choice among the speakers of a call: no passage has to say it.
    and item_answers.answer_type is distinct from 'speaker'
