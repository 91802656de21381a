{#- One text an item first, so that no string grows with the gold. -#}
with

judgments as (

    select * from {{ ref('judgments') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

judged as (

    select
        item_id,
        md5(string_agg(
            concat_ws('|', passage_id, grade, evidence_id),
            '|' order by passage_id, evidence_id
        )) as item_digest
    from judgments
    where
        mapping = 'mapped'
        and not {{ gold_set_is('public', 'gold_set') }}
    group by item_id

),

answered as (

    select
        question_id,
        md5(concat_ws(
            '|',
            coalesce(answer_type, '-'),
            coalesce(answer_text, '-'),
            coalesce(cast(answer_numeric as varchar), '-'),
            coalesce(answer_unit, '-'),
            coalesce(cast(tolerance as varchar), '-')
        )) as answer_digest
    from gold_p3

),

judgments_of_gold as (

    select
        md5(coalesce(
            string_agg(item_id || item_digest, '|' order by item_id), ''
        )) as judgments_hash
    from judged

),

answers_of_gold as (

    select
        md5(coalesce(
            string_agg(question_id || answer_digest, '|' order by question_id), ''
        )) as answers_hash
    from answered

)

select
    judgments_of_gold.judgments_hash,
    answers_of_gold.answers_hash,
    md5(judgments_of_gold.judgments_hash || answers_of_gold.answers_hash) as gold_hash
from judgments_of_gold
cross join answers_of_gold
