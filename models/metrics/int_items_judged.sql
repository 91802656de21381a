with

anchors as (

    select * from {{ ref('anchors') }}

),

gold_judgments as (

    select * from {{ ref('gold_judgments') }}

)

-- As trec_eval: a grade of zero or less is not relevant.
select
    anchors.item_id,
    anchors.gold_set,
    anchors.sentence_id,
    anchors.text_hash,
    anchors.filing_id,
    anchors.cik_int,
    anchors.section_name,
    anchors.length_bucket,
    count(gold_judgments.sentence_id) filter (where gold_judgments.grade > 0)
        as n_relevant
from anchors
left join gold_judgments
    on anchors.item_id = gold_judgments.item_id
group by
    anchors.item_id,
    anchors.gold_set,
    anchors.sentence_id,
    anchors.text_hash,
    anchors.filing_id,
    anchors.cik_int,
    anchors.section_name,
    anchors.length_bucket
