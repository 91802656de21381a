with

anchors as (

    select * from {{ ref('anchors') }}

),

int_anchors_graded as (

    select * from {{ ref('int_anchors_graded') }}

),

gold_lists as (

    select
        item_id,
        count(*) as n_gold,
        list(sentence_id order by sentence_id) as gold_sentence_ids
    from int_anchors_graded
    where gold_set = 'p1'
    group by item_id

)

select
    anchors.item_id,
    anchors.sentence_id,
    anchors.cik_int,
    anchors.company_name,
    anchors.report_year,
    anchors.filing_id,
    anchors.section_name,
    anchors.section_length,
    anchors.length_bucket,
    anchors.sentence_text,
    cast({{ var('p1_window') | int }} as integer) as window_size,
    coalesce(gold_lists.n_gold, 0) as n_gold,
    coalesce(gold_lists.n_gold, 0) > 0 as is_covered,
    gold_lists.gold_sentence_ids
from anchors
left join gold_lists
    on anchors.item_id = gold_lists.item_id
where anchors.gold_set = 'p1'
