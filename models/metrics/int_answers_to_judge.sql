{#-
    Answers that were given, of whatever gold set, and the contexts that were read for questions
    with an answer: a context of a question that nothing answers is sufficient for nothing. Texts
    are gathered only where somebody judges.
-#}
{{ config(materialized = 'view') }}

with

answers as (

    select * from {{ ref('answers') }}

),

items as (

    select *
    from {{ ref('items') }}
    where item_kind = 'question'

),

item_answers as (

    select * from {{ ref('item_answers') }}

),

answer_citations as (

    select * from {{ ref('answer_citations') }}

),

contexts as (

    select * from {{ ref('contexts') }}

),

passages as (

    select * from {{ ref('passages') }}

),

cited as (

    select
        answer_citations.system_id,
        answer_citations.item_id,
        list(passages.passage_text order by answer_citations.citation_pos)
            as cited_texts
    from answer_citations
    inner join passages
        on
            coalesce(answer_citations.passage_id, answer_citations.named)
            = passages.passage_id
    group by answer_citations.system_id, answer_citations.item_id

),

read as (

    select
        contexts.system_id,
        contexts.item_id,
        list(passages.passage_text order by contexts.context_pos)
            as context_texts
    from contexts
    inner join item_answers
        on
            contexts.item_id = item_answers.item_id
            and item_answers.is_answerable
    inner join passages
        on contexts.passage_id = passages.passage_id
    group by contexts.system_id, contexts.item_id

)

select
    answers.system_id,
    answers.gold_set,
    answers.item_id,
    items.question_text,
    case when answers.outcome = 'answered' then answers.answer_text end as answer_text,
    item_answers.answer_text as gold_text,
    cited.cited_texts,
    read.context_texts
from answers
inner join items
    on answers.item_id = items.item_id
inner join item_answers
    on answers.item_id = item_answers.item_id
left join cited
    on
        answers.system_id = cited.system_id
        and answers.item_id = cited.item_id
left join read
    on
        answers.system_id = read.system_id
        and answers.item_id = read.item_id
where
    '{{ var('judge') }}' <> ''
    and (
        (answers.outcome = 'answered' and answers.answer_text is not null)
        or read.context_texts is not null
    )
