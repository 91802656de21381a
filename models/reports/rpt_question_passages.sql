with

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

rpt_question_citations as (

    select * from {{ ref('rpt_question_citations') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

evidence_listed as (

    select
        question_id,
        {{ unnest_list_with_place('evidence_sentence_ids', 'sentence_id') }}
    from gold_p3

),

evidence as (

    select
        {{ question_page_id('items.gold_set', 'items.item_id') }} as page_id,
        evidence_listed.sentence_id,
        min(evidence_listed.place) as evidence_pos
    from evidence_listed
    inner join items
        on evidence_listed.question_id = items.question_id
    group by
        {{ question_page_id('items.gold_set', 'items.item_id') }},
        evidence_listed.sentence_id

),

cited as (

    select
        page_id,
        sentence_id,
        {{ joined_list(ordered_list('system_id', 'system_id'), ', ') }} as cited_by
    from (
        select
            page_id,
            sentence_id,
            system_id
        from rpt_question_citations
        group by page_id, sentence_id, system_id
    ) as citing
    group by page_id, sentence_id

),

marked as (

    select
        page_id,
        sentence_id
    from evidence

    union

    select
        page_id,
        sentence_id
    from cited

),

judged as (

    select
        {{ question_page_id('gold_set', 'item_id') }} as page_id,
        passage_id as sentence_id
    from judgments
    where grade > 0

),

-- Two before and two after, in the same section; what lies near two marks is there
-- once.
around as (

    select
        marked.page_id,
        neighbours.sentence_id
    from marked
    inner join sentences
        on marked.sentence_id = sentences.sentence_id
    inner join sentences as neighbours
        on
            sentences.section_id = neighbours.section_id
            and neighbours.sentence_pos
            between sentences.sentence_pos - 2 and sentences.sentence_pos + 2
    group by marked.page_id, neighbours.sentence_id

),

placed as (

    select
        around.page_id,
        around.sentence_id,
        sentences.section_id,
        sentences.company_name,
        sentences.report_year,
        sentences.section_name,
        sentences.sentence_pos,
        sentences.char_start,
        sentences.char_end,
        sentences.sentence_text,
        evidence.evidence_pos,
        evidence.sentence_id is not null as is_evidence,
        judged.sentence_id is not null as is_gold,
        cited.cited_by,
        sentences.sentence_pos - row_number() over (
            partition by around.page_id, sentences.section_id
            order by sentences.sentence_pos
        ) as run_key
    from around
    inner join sentences
        on around.sentence_id = sentences.sentence_id
    left join evidence
        on
            around.page_id = evidence.page_id
            and around.sentence_id = evidence.sentence_id
    left join judged
        on
            around.page_id = judged.page_id
            and around.sentence_id = judged.sentence_id
    left join cited
        on
            around.page_id = cited.page_id
            and around.sentence_id = cited.sentence_id

),

-- Sentences without a gap are one passage; those with evidence stand first.
passages as (

    select
        page_id,
        section_id,
        run_key,
        row_number() over (
            partition by page_id
            order by
                min(evidence_pos) asc nulls last,
                section_id asc,
                run_key asc
        ) as passage_pos,
        bool_or(is_evidence) as has_evidence
    from placed
    group by page_id, section_id, run_key

)

select
    placed.page_id,
    cast(passages.passage_pos as integer) as passage_pos,
    passages.has_evidence,
    placed.sentence_id,
    placed.company_name,
    placed.report_year,
    placed.section_name,
    placed.sentence_pos,
    placed.char_start,
    placed.char_end,
    -- A neighbour is there to be recognised: a table of pages would bury the evidence.
    case
        when placed.is_gold or placed.cited_by is not null or placed.is_evidence
            then placed.sentence_text
        when length(placed.sentence_text) > 400
            then substr(placed.sentence_text, 1, 400) || ' …'
        else placed.sentence_text
    end as sentence_text,
    placed.is_evidence,
    placed.is_gold,
    placed.cited_by
from placed
inner join passages
    on
        placed.page_id = passages.page_id
        and placed.section_id = passages.section_id
        and placed.run_key = passages.run_key
order by placed.page_id, passages.passage_pos, placed.sentence_pos
