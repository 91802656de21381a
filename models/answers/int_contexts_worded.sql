with

contexts as (

    select * from {{ ref('contexts') }}

),

rankings as (

    select * from {{ ref('rankings') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

companies as (

    select * from {{ ref('companies') }}

),

passages as (

    select *
    from {{ ref('passages') }}
    where corpus_id <> 'filings'

),

scored as (

    select
        contexts.*,
        rankings.score
    from contexts
    inner join rankings
        on
            contexts.system_id = rankings.system_id
            and contexts.item_id = rankings.item_id
            and contexts.unit = rankings.unit
            and contexts.rank = rankings.rank

)

select
    scored.system_id,
    scored.item_id,
    scored.context_pos,
    scored.unit,
    scored.rank,
    scored.score,
    scored.passage_id as sentence_id,
    scored.tag,
    companies.display_name as company,
    sentences.cik_int,
    sentences.report_year,
    sentences.section_name,
    sentences.sentence_text
from scored
inner join sentences
    on scored.passage_id = sentences.sentence_id
inner join companies
    on sentences.cik_int = companies.cik_int

union all

-- A set does not say of which company, year or section a passage is.
select
    scored.system_id,
    scored.item_id,
    scored.context_pos,
    scored.unit,
    scored.rank,
    scored.score,
    scored.passage_id as sentence_id,
    scored.tag,
    cast(null as varchar) as company,
    cast(null as bigint) as cik_int,
    cast(null as integer) as report_year,
    cast(null as varchar) as section_name,
    passages.passage_text as sentence_text
from scored
inner join passages
    on scored.passage_id = passages.passage_id
