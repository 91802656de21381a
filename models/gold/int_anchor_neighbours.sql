{%- set widest = [var('p1_window') | int, var('p2_window_max') | int] | max -%}
with

anchors as (

    select * from {{ ref('anchors') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

neighbours as (

    select
        anchors.item_id,
        anchors.gold_set,
        sentences.sentence_id,
        abs(sentences.sentence_pos - anchors.sentence_pos) as distance,
        (
            not sentences.is_navigational
            and sentences.text_hash <> anchors.text_hash
        ) as is_usable
    from anchors
    inner join sentences
        on
            anchors.section_id = sentences.section_id
            and anchors.sentence_id <> sentences.sentence_id
            and abs(sentences.sentence_pos - anchors.sentence_pos) <= {{ widest }}
    where anchors.cell_id is null

)

select * from neighbours
