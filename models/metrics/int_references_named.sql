{#- Evidence as a citation can meet it: a page by its number, else the passage. -#}
with

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        evidence_kind = 'text'
        and unit <> 'sentence'

),

passages as (

    select * from {{ ref('passages') }}

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where gold_set <> 'p3'

),

referred as (

    select
        judgments.gold_set as benchmark,
        item_answers.question_id,
        case
            when judgments.unit = 'page' then null
            when judgments.passage_id is not null then judgments.passage_id
            when judgments.document is null then judgments.evidence_id
        end as passage_id,
        case
            when judgments.unit = 'page'
                then coalesce(passages.document_id, judgments.document_id)
        end as document_id,
        case
            when
                judgments.unit = 'page'
                and passages.document_id is null
                and judgments.document_id is null
                then judgments.document
        end as document,
        case
            when judgments.unit = 'page'
                then coalesce(passages.page, judgments.page)
        end as page
    from judgments
    inner join item_answers
        on judgments.item_id = item_answers.item_id
    left join passages
        on judgments.evidence_id = passages.passage_id
    where
        judgments.grade > 0
        and judgments.mapping <> 'the set names no place'

)

select
    benchmark,
    question_id,
    passage_id,
    document_id,
    document,
    page
from referred
where coalesce(passage_id, document_id, document) is not null
group by
    benchmark,
    question_id,
    passage_id,
    document_id,
    document,
    page
