with

anchors as (

    select * from {{ ref('anchors') }}

),

int_p2_windows_grown as (

    select * from {{ ref('int_p2_windows_grown') }}

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
    where gold_set = 'p2'
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
    int_p2_windows_grown.window_size,
    int_p2_windows_grown.is_clipped,
    coalesce(gold_lists.n_gold, 0) as n_gold,
    int_p2_windows_grown.is_covered,
    gold_lists.gold_sentence_ids
from anchors
inner join int_p2_windows_grown
    on anchors.item_id = int_p2_windows_grown.item_id
left join gold_lists
    on anchors.item_id = gold_lists.item_id
where anchors.gold_set = 'p2'
