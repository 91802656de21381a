with

answers as (

    select *
    from {{ ref('answers') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

answer_citations as (

    select
        *,
        named as sentence_id
    from {{ ref('answer_citations') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

items as (

    select *
    from {{ ref('items') }}
    where
        item_kind = 'question'
        and corpus_id = 'filings'

),

sentences as (

    select * from {{ ref('sentences') }}

),

companies as (

    select * from {{ ref('companies') }}

),

-- A citation of a sentence that is not there stays, without a text.
cited as (

    select
        answer_citations.system_id,
        answer_citations.item_id,
        answer_citations.citation_pos,
        struct_pack(
            sentence_id := answer_citations.sentence_id,
            sentence_text := sentences.sentence_text,
            names := [
                companies.display_name,
                sentences.company_name,
                companies.company_name,
                companies.ticker
            ],
            aliases := companies.aliases,
            years := [
                sentences.report_year, extract(year from sentences.fiscal_year_end)
            ],
            quote := answer_citations.quote
        ) as citation
    from answer_citations
    left join sentences
        on answer_citations.sentence_id = sentences.sentence_id
    left join companies
        on sentences.cik_int = companies.cik_int

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
left join listed
    on
        answers.system_id = listed.system_id
        and answers.item_id = listed.item_id
where
    answers.outcome = 'answered'
    and answers.answer_text is not null
