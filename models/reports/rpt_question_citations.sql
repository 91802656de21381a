with

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

answer_citations as (

    select
        *,
        coalesce(passage_id, named) as cited_id
    from {{ ref('answer_citations') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

passages as (

    select * from {{ ref('passages') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

int_passages_placed as (

    select * from {{ ref('int_passages_placed') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

rpt_filings as (

    select *
    from {{ ref('rpt_filings') }}
    where page_id is not null

),

-- One passage may stand for several pieces of evidence.
judged as (

    select
        item_id,
        passage_id
    from judgments
    where
        grade > 0
        and mapping = 'mapped'
        and evidence_kind <> 'operand'
    group by item_id, passage_id

)

select
    int_questions_shown.page_id,
    answer_citations.system_id,
    answer_citations.citation_pos,
    answer_citations.cited_id as passage_id,
    passages.passage_id is not null as is_in_corpus,
    answer_citations.is_in_context,
    judged.passage_id is not null as is_gold,
    -- What repeats the passage needs no second copy of it.
    nullif(answer_citations.quote, passages.passage_text) as quote,
    -- Its sentence on the page of its filing.
    rpt_filings.page_id || '#'
    || {{ filing_anchor('sentences.section_name', 'sentences.sentence_pos') }}
        as reader_link
from answer_citations
inner join int_questions_shown
    on answer_citations.item_id = int_questions_shown.item_id
inner join registered_systems
    on
        answer_citations.system_id = registered_systems.system_id
        and not registered_systems.is_null
left join passages
    on answer_citations.cited_id = passages.passage_id
left join judged
    on
        answer_citations.item_id = judged.item_id
        and answer_citations.cited_id = judged.passage_id
left join int_passages_placed
    on answer_citations.cited_id = int_passages_placed.passage_id
left join sentences
    on int_passages_placed.sentence_id = sentences.sentence_id
left join rpt_filings
    on sentences.filing_id = rpt_filings.filing_id
order by
    int_questions_shown.page_id,
    answer_citations.system_id,
    answer_citations.citation_pos
