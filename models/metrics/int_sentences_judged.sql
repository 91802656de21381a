with

judgments as (

    select *
    from {{ ref('judgments') }}
    where grade > 0

),

sentences as (

    select * from {{ ref('sentences') }}

)

select
    judgments.item_id,
    judgments.evidence_id,
    judgments.passage_id,
    judgments.is_topic,
    sentences.sentence_text
from judgments
inner join sentences
    on judgments.passage_id = sentences.sentence_id
where {{ gold_set_is('filings', 'judgments.gold_set') }}
