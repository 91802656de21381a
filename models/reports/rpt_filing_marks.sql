{#-
    What a question has to do with a sentence of a filing that has a page: whether it is evidence,
    who cited it, and who missed it.
-#}
with

int_filing_marks as (

    select * from {{ ref('int_filing_marks') }}

),

rpt_filings as (

    select *
    from {{ ref('rpt_filings') }}
    where page_id is not null

),

sentences as (

    select * from {{ ref('sentences') }}

),

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

)

select
    rpt_filings.page_id,
    int_filing_marks.sentence_id as passage_id,
    {{ filing_anchor('sentences.section_name', 'sentences.sentence_pos') }} as anchor,
    int_filing_marks.page_id as question_page_id,
    int_questions_shown.question_text,
    bool_or(int_filing_marks.is_evidence) as is_evidence,
    bool_or(int_filing_marks.is_gold) as is_gold,
    string_agg(
        int_filing_marks.system_id, ', ' order by int_filing_marks.system_id
    ) filter (where int_filing_marks.is_cited) as cited_by,
    string_agg(
        int_filing_marks.system_id, ', ' order by int_filing_marks.system_id
    ) filter (where int_filing_marks.is_evidence and not int_filing_marks.is_found)
        as missed_by
from int_filing_marks
inner join sentences
    on int_filing_marks.sentence_id = sentences.sentence_id
inner join rpt_filings
    on sentences.filing_id = rpt_filings.filing_id
inner join int_questions_shown
    on int_filing_marks.page_id = int_questions_shown.page_id
group by
    rpt_filings.page_id,
    int_filing_marks.sentence_id,
    sentences.section_name,
    sentences.sentence_pos,
    int_filing_marks.page_id,
    int_questions_shown.question_text
order by rpt_filings.page_id, int_filing_marks.sentence_id, int_filing_marks.page_id
