with

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        grade > 0
        and mapping = 'mapped'
        and evidence_kind <> 'operand'

),

rpt_question_citations as (

    select * from {{ ref('rpt_question_citations') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

-- Those of the filings are sentences, and stand in a section among others.
passages as (

    select *
    from {{ ref('passages') }}
    where corpus_id <> 'filings'

),

documents as (

    select * from {{ ref('documents') }}

),

rpt_filings as (

    select * from {{ ref('rpt_filings') }}

),

evidence_listed as (

    select
        question_id,
        unnest(evidence_sentence_ids) as sentence_id,
        generate_subscripts(evidence_sentence_ids, 1) as place
    from gold_p3

),

judged as (

    select
        int_questions_shown.gold_set,
        int_questions_shown.page_id,
        judgments.passage_id,
        min(judgments.evidence_id) as evidence_id
    from judgments
    inner join int_questions_shown
        on judgments.item_id = int_questions_shown.item_id
    group by
        int_questions_shown.gold_set,
        int_questions_shown.page_id,
        judgments.passage_id

),

-- A public set lists no sentences: what is judged is its evidence.
evidence as (

    select
        int_questions_shown.page_id,
        evidence_listed.sentence_id as passage_id,
        min(evidence_listed.place) as evidence_pos
    from evidence_listed
    inner join int_questions_shown
        on
            {{ gold_set_is('filings', 'int_questions_shown.gold_set') }}
            and evidence_listed.question_id = int_questions_shown.question_id
    group by int_questions_shown.page_id, evidence_listed.sentence_id

    union all

    select
        page_id,
        passage_id,
        row_number() over (
            partition by page_id order by evidence_id asc, passage_id asc
        ) as evidence_pos
    from judged
    where {{ gold_set_is('public', 'gold_set') }}

),

cited as (

    select
        page_id,
        passage_id,
        array_to_string(list(system_id order by system_id), ', ') as cited_by
    from (
        select
            page_id,
            passage_id,
            system_id
        from rpt_question_citations
        group by page_id, passage_id, system_id
    ) as citing
    group by page_id, passage_id

),

marked as (

    select
        page_id,
        passage_id
    from evidence

    union

    select
        page_id,
        passage_id
    from cited

),

-- Two before and two after, in the same section; what lies near two marks is there
-- once.
around as (

    select
        marked.page_id,
        neighbours.sentence_id
    from marked
    inner join sentences
        on marked.passage_id = sentences.sentence_id
    inner join sentences as neighbours
        on
            sentences.section_id = neighbours.section_id
            and neighbours.sentence_pos
            between sentences.sentence_pos - 2 and sentences.sentence_pos + 2
    group by marked.page_id, neighbours.sentence_id

),

-- A page, a row or a turn of a public set stands alone: it is long enough.
found as (

    select
        around.page_id,
        around.sentence_id as passage_id,
        'sentence' as unit,
        sentences.section_id as group_id,
        sentences.company_name || ', fiscal ' || sentences.report_year || ', '
        || replace(sentences.section_name, '_', ' ') as place,
        cast(sentences.sentence_pos as bigint) as position,
        sentences.char_start,
        sentences.char_end,
        sentences.sentence_text as passage_text,
        rpt_filings.page_id || '#'
        || {{ filing_anchor('sentences.section_name', 'sentences.sentence_pos') }}
            as reader_link,
        rpt_filings.source_url
    from around
    inner join sentences
        on around.sentence_id = sentences.sentence_id
    left join rpt_filings
        on sentences.filing_id = rpt_filings.filing_id

    union all

    select
        marked.page_id,
        passages.passage_id,
        passages.unit,
        passages.passage_id as group_id,
        coalesce({{ passage_place('documents', 'passages') }}, passages.passage_id)
            as place,
        coalesce(passages.position, 0) as position,
        cast(null as integer) as char_start,
        cast(null as integer) as char_end,
        passages.passage_text,
        cast(null as varchar) as reader_link,
        cast(null as varchar) as source_url
    from marked
    inner join passages
        on marked.passage_id = passages.passage_id
    left join documents
        on passages.document_id = documents.document_id

),

placed as (

    select
        found.*,
        evidence.evidence_pos,
        evidence.passage_id is not null as is_evidence,
        judged.passage_id is not null as is_gold,
        cited.cited_by,
        found.position - row_number() over (
            partition by found.page_id, found.group_id
            order by found.position
        ) as run_key
    from found
    left join evidence
        on
            found.page_id = evidence.page_id
            and found.passage_id = evidence.passage_id
    left join judged
        on
            found.page_id = judged.page_id
            and found.passage_id = judged.passage_id
    left join cited
        on
            found.page_id = cited.page_id
            and found.passage_id = cited.passage_id

),

-- Sentences without a gap are one passage; those with evidence stand first.
passages_numbered as (

    select
        page_id,
        group_id,
        run_key,
        row_number() over (
            partition by page_id
            order by
                min(evidence_pos) asc nulls last,
                group_id asc,
                run_key asc
        ) as passage_pos,
        bool_or(is_evidence) as has_evidence
    from placed
    group by page_id, group_id, run_key

)

select
    placed.page_id,
    cast(passages_numbered.passage_pos as integer) as passage_pos,
    passages_numbered.has_evidence,
    placed.passage_id,
    placed.unit,
    placed.place,
    placed.position,
    placed.char_start,
    placed.char_end,
    -- A neighbour is there to be recognised: a table of pages would bury the evidence.
    case
        when
            placed.unit = 'sentence'
            and (placed.is_gold or placed.cited_by is not null or placed.is_evidence)
            then placed.passage_text
        when placed.unit = 'sentence' and length(placed.passage_text) > 400
            then substr(placed.passage_text, 1, 400) || ' …'
        when length(placed.passage_text) > 6000
            then substr(placed.passage_text, 1, 6000) || ' …'
        else placed.passage_text
    end as passage_text,
    placed.is_evidence,
    placed.is_gold,
    placed.cited_by,
    placed.reader_link,
    placed.source_url
from placed
inner join passages_numbered
    on
        placed.page_id = passages_numbered.page_id
        and placed.group_id = passages_numbered.group_id
        and placed.run_key = passages_numbered.run_key
order by placed.page_id, passages_numbered.passage_pos, placed.position
