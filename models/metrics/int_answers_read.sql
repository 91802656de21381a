{#-
    Rows without an answer too: who says nothing is not right. A null answers with the gold
    answer of another question, as that set writes it. Answers to questions of the filings
    are here for their checks, beside the companies that they name, or else cite, and the years
    that they cite; their nulls cite what the question is about that they are taken from.
-#}
with

answers as (

    select *
    from {{ ref('answers') }}
    where outcome <> 'not_run'

),

answer_citations as (

    select * from {{ ref('answer_citations') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

documents as (

    select *
    from {{ ref('documents') }}
    where corpus_id = 'filings'

),

companies as (

    select * from {{ ref('companies') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

int_null_answers as (

    select * from {{ ref('int_null_answers') }}

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

collected as (

    select
        system_id,
        item_id,
        gold_set,
        configuration,
        case
            when {{ gold_set_is('filings', 'gold_set') }}
                then cast(to_json(answer_text) as varchar)
            else answer
        end as answer,
        answer_text,
        scale,
        program,
        label,
        label_by,
        speaker,
        role,
        is_contained
    from answers

    union all

    select
        'null_' || int_null_answers.null_kind as system_id,
        int_null_answers.item_id,
        item_answers.gold_set,
        cast(null as varchar) as configuration,
        cast(
            case
                when {{ gold_set_is('filings', 'item_answers.gold_set') }}
                    then to_json(int_null_answers.answer_text)
                when item_answers.is_list then to_json(item_answers.answers)
                else to_json(item_answers.answers[1])
            end
            as varchar
        ) as answer,
        int_null_answers.answer_text,
        cast(null as varchar) as scale,
        cast(null as varchar) as program,
        cast(null as varchar) as label,
        cast(null as varchar) as label_by,
        cast(null as varchar) as speaker,
        cast(null as varchar) as role,
        cast(null as boolean) as is_contained
    from int_null_answers
    inner join item_answers
        on int_null_answers.from_item_id = item_answers.item_id

),

-- Evidence in the filing of another year, such as the next, is of the years that it
-- names, or of the only one that is asked for.
places_cited as (

    select
        answer_citations.system_id,
        answer_citations.item_id,
        documents.cik_int,
        [documents.report_year] as years
    from answer_citations
    inner join documents
        on answer_citations.document_id = documents.document_id

    union all

    select
        answer_citations.system_id,
        answer_citations.item_id,
        cast(null as bigint) as cik_int,
        case
            when {{ list_length('item_answers.years') }} = 1 then item_answers.years
            else list_filter(
                item_answers.years,
                lambda report_year: contains(
                    sentences.sentence_text, cast(report_year as varchar)
                )
            )
        end as years
    from answer_citations
    inner join judgments
        on
            answer_citations.item_id = judgments.item_id
            and answer_citations.passage_id = judgments.passage_id
            and judgments.grade > 0
    inner join item_answers
        on answer_citations.item_id = item_answers.item_id
    left join sentences
        on answer_citations.passage_id = sentences.sentence_id
    where {{ gold_set_is('filings', 'item_answers.gold_set') }}

    union all

    select
        'null_' || int_null_answers.null_kind as system_id,
        int_null_answers.item_id,
        unnest(item_answers.cik_int) as cik_int,
        item_answers.years
    from int_null_answers
    inner join item_answers
        on int_null_answers.from_item_id = item_answers.item_id
    where {{ gold_set_is('filings', 'item_answers.gold_set') }}

),

answers_worded as (

    select
        system_id,
        item_id,
        regexp_extract_all(answer_text, '[\p{L}\p{N}]+') as words
    from collected
    where {{ gold_set_is('filings', 'gold_set') }}

),

aliases as (

    select
        cik_int,
        display_name,
        ticker,
        unnest(aliases) as alias
    from companies

),

-- A ticker may be a word, such as "IT".
aliases_worded as (

    select
        display_name,
        regexp_extract_all(alias, '[\p{L}\p{N}]+') as words
    from aliases
    where alias is distinct from ticker

),

answer_words as (

    select
        system_id,
        item_id,
        words,
        unnest(list_distinct(words)) as word
    from answers_worded

),

companies_named as (

    select
        answer_words.system_id,
        answer_words.item_id,
        aliases_worded.display_name as name
    from answer_words
    inner join aliases_worded
        on
            answer_words.word = aliases_worded.words[1]
            and contains(
                ' ' || array_to_string(answer_words.words, ' ') || ' ',
                ' ' || array_to_string(aliases_worded.words, ' ') || ' '
            )
    group by
        answer_words.system_id,
        answer_words.item_id,
        aliases_worded.display_name

),

companies_cited as (

    select
        places_cited.system_id,
        places_cited.item_id,
        companies.display_name as name
    from places_cited
    inner join companies
        on places_cited.cik_int = companies.cik_int
    group by places_cited.system_id, places_cited.item_id, companies.display_name

),

-- An answer says which companies it is about; what it cites tells only where it names
-- none.
names_cited as (

    select
        system_id,
        item_id,
        name
    from companies_named

    union all

    select
        companies_cited.system_id,
        companies_cited.item_id,
        companies_cited.name
    from companies_cited
    anti join companies_named
        on
            companies_cited.system_id = companies_named.system_id
            and companies_cited.item_id = companies_named.item_id

    union all

    select distinct
        system_id,
        item_id,
        cast(unnest(years) as varchar) as name
    from places_cited

),

cited as (

    select
        system_id,
        item_id,
        string_agg(name, '; ' order by name) as sources
    from names_cited
    where name is not null
    group by system_id, item_id

)

select
    item_answers.gold_set as benchmark,
    collected.system_id,
    item_answers.question_id,
    collected.configuration,
    collected.answer,
    collected.scale,
    collected.program,
    collected.label,
    collected.label_by,
    collected.speaker,
    collected.role,
    collected.is_contained as contains,
    coalesce(item_answers.answer_type = 'speaker', false) as asks_speaker,
    cited.sources
from collected
inner join item_answers
    on collected.item_id = item_answers.item_id
left join cited
    on
        collected.system_id = cited.system_id
        and collected.item_id = cited.item_id
