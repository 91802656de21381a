with

rankings as (

    select *
    from {{ ref('rankings') }}
    where rank <= 10

),

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

answers as (

    select * from {{ ref('answers') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

-- Sentences of the filings have a company and a year; their rows and cells stand here.
passages as (

    select *
    from {{ ref('passages') }}
    where corpus_id <> 'filings' or unit in ('row', 'cell')

),

documents as (

    select * from {{ ref('documents') }}

),

judgments as (

    select * from {{ ref('judgments') }}

),

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

),

answerers as (

    select
        answers.system_id,
        answers.gold_set
    from answers
    inner join registered_systems
        on
            answers.system_id = registered_systems.system_id
            and not registered_systems.is_null
    group by answers.system_id, answers.gold_set

)

select
    int_questions_shown.page_id,
    rankings.system_id,
    rankings.unit,
    rankings.rank,
    judged.passage_id is not null as is_gold,
    rankings.passage_id,
    coalesce(
        sentences.company_name || ', ' || sentences.report_year || ', '
        || sentences.section_name,
        {{ passage_place('documents', 'passages') }}
    ) as place,
    -- Enough to recognise it: the passages above hold the evidence and what was cited.
    case
        when length(coalesce(sentences.sentence_text, passages.passage_text)) > 90
            then
                substr(
                    coalesce(sentences.sentence_text, passages.passage_text), 1, 90
                )
                || ' …'
        else coalesce(sentences.sentence_text, passages.passage_text)
    end as excerpt
from rankings
inner join int_questions_shown
    on rankings.item_id = int_questions_shown.item_id
inner join answerers
    on
        rankings.system_id = answerers.system_id
        and rankings.gold_set = answerers.gold_set
left join sentences
    on rankings.passage_id = sentences.sentence_id
left join passages
    on rankings.passage_id = passages.passage_id
left join documents
    on passages.document_id = documents.document_id
left join judged
    on
        rankings.item_id = judged.item_id
        and rankings.passage_id = judged.passage_id
order by
    int_questions_shown.page_id,
    rankings.system_id,
    rankings.unit,
    rankings.rank
