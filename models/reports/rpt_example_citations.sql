with

rpt_run_examples as (

    select * from {{ ref('rpt_run_examples') }}

),

rpt_gate_examples as (

    select * from {{ ref('rpt_gate_examples') }}

),

answer_citations as (

    select
        *,
        named as sentence_id
    from {{ ref('answer_citations') }}
    where {{ gold_set_is('filings', 'gold_set') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

shown as (

    select
        system_id,
        item_id
    from rpt_run_examples

    union

    select
        system_id,
        item_id
    from rpt_gate_examples

)

select
    answer_citations.system_id,
    answer_citations.item_id,
    answer_citations.citation_pos,
    answer_citations.sentence_id,
    answer_citations.is_in_context,
    coalesce(judgments.grade > 0, false) as is_relevant,
    answer_citations.quote,
    sentences.filing_id,
    sentences.company_name,
    sentences.report_year,
    sentences.section_name,
    sentences.char_start,
    sentences.char_end,
    sentences.sentence_text
from shown
inner join answer_citations
    on
        shown.system_id = answer_citations.system_id
        and shown.item_id = answer_citations.item_id
left join sentences
    on answer_citations.sentence_id = sentences.sentence_id
left join judgments
    on
        answer_citations.item_id = judgments.item_id
        and answer_citations.sentence_id = judgments.passage_id
