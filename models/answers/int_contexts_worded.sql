with

contexts as (

    select * from {{ ref('contexts') }}

),

rankings as (

    select
        *,
        passage_id as sentence_id
    from {{ ref('rankings') }}
    where unit = 'sentence'

),

sentences as (

    select * from {{ ref('sentences') }}

),

companies as (

    select * from {{ ref('companies') }}

)

select
    contexts.system_id,
    contexts.item_id,
    contexts.context_pos,
    contexts.rank,
    rankings.score,
    contexts.sentence_id,
    contexts.tag,
    companies.display_name as company,
    sentences.cik_int,
    sentences.report_year,
    sentences.section_name,
    sentences.sentence_text
from contexts
inner join rankings
    on
        contexts.system_id = rankings.system_id
        and contexts.item_id = rankings.item_id
        and contexts.rank = rankings.rank
inner join sentences
    on contexts.sentence_id = sentences.sentence_id
inner join companies
    on sentences.cik_int = companies.cik_int
