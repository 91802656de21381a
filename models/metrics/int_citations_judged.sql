with

answer_citations as (

    select
        *,
        named as sentence_id
    from {{ ref('answer_citations') }}
    where gold_set = 'p3'

),

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

sentences as (

    select * from {{ ref('sentences') }}

),

-- A sentence cited twice is one source; a sentence that is in no filing is a wrong one.
cited as (

    select
        system_id,
        item_id,
        sentence_id,
        min(citation_pos) as citation_pos,
        bool_or(is_in_context) as is_in_context
    from answer_citations
    group by system_id, item_id, sentence_id

)

select
    cited.system_id,
    cited.item_id,
    cited.sentence_id,
    cited.citation_pos,
    cited.is_in_context,
    coalesce(judgments.grade, 0) as grade,
    coalesce(judgments.grade > 0, false) as is_relevant,
    case when judgments.grade > 0 then judgments.evidence_id end
        as evidence_id,
    coalesce({{ is_in_list('sentences.cik_int', 'gold_p3.cik_int') }}, false)
        as is_right_company,
    coalesce({{ is_in_list('sentences.report_year', 'gold_p3.years') }}, false)
        as is_right_year
from cited
inner join items
    on cited.item_id = items.item_id
inner join gold_p3
    on items.question_id = gold_p3.question_id
left join sentences
    on cited.sentence_id = sentences.sentence_id
left join judgments
    on
        cited.item_id = judgments.item_id
        and cited.sentence_id = judgments.passage_id
