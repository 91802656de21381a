{#-
    Digests of what counts as right, so that other gold is another evaluation: of all judgments
    and answers on the filings, of the frozen anchors, and of every public set, whose files may
    change while the filings stay: its questions, its answers, its evidence and what is searched.
    One text an item first, so that no string grows with the gold.
-#}
with

judgments as (

    select * from {{ ref('judgments') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

stg_p3__questions as (

    select * from {{ ref('stg_p3__questions') }}

),

anchors as (

    select *
    from {{ ref('anchors') }}
    where frozen_among is not null

),

items as (

    select *
    from {{ ref('items') }}
    where {{ gold_set_is('public', 'gold_set') }}

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where {{ gold_set_is('public', 'gold_set') }}

),

passages as (

    select *
    from {{ ref('passages') }}
    where corpus_id <> 'filings'

),

judged_on_filings as (

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

answered_on_filings as (

    -- Checks that a suite writes are gold too; those of other questions follow from it.
    select
        gold_p3.question_id,
        md5(concat_ws(
            '|',
            coalesce(gold_p3.answer_type, '-'),
            coalesce(gold_p3.answer_text, '-'),
            coalesce(cast(gold_p3.answer_numeric as varchar), '-'),
            coalesce(gold_p3.answer_unit, '-'),
            coalesce(cast(gold_p3.tolerance as varchar), '-'),
            stg_p3__questions.criteria
        )) as answer_digest
    from gold_p3
    left join stg_p3__questions
        on gold_p3.question_id = stg_p3__questions.question_id

),

judgments_of_filings as (

    select
        md5(coalesce(
            string_agg(item_id || item_digest, '|' order by item_id), ''
        )) as digest
    from judged_on_filings

),

answers_of_filings as (

    select
        md5(coalesce(
            string_agg(question_id || answer_digest, '|' order by question_id), ''
        )) as digest
    from answered_on_filings

),

asked as (

    select
        gold_set,
        'questions' as part,
        md5(string_agg(
            concat_ws('|', item_id, document_id, question_text), '|' order by item_id
        )) as digest
    from items
    group by gold_set

),

judgments_digested as (

    select
        gold_set,
        'judgments' as part,
        md5(string_agg(
            concat_ws('|', item_id, evidence_id, passage_id, grade),
            '|' order by item_id, evidence_id, passage_id
        )) as digest
    from judgments
    where {{ gold_set_is('public', 'gold_set') }}
    group by gold_set

),

answered as (

    select
        gold_set,
        'answers' as part,
        md5(string_agg(
            concat_ws(
                '|',
                item_id,
                coalesce(answer_text, ''),
                coalesce(cast(to_json(answers) as varchar), ''),
                coalesce(cast(answer_numeric as varchar), ''),
                coalesce(scale, answer_unit, ''),
                coalesce(program, ''),
                coalesce(cast(is_answerable as varchar), ''),
                coalesce(original_fields, '')
            ),
            '|' order by item_id
        )) as digest
    from item_answers
    group by gold_set

),

searched as (

    select
        corpus_id as gold_set,
        'passages ' || coalesce(document_id, '') as part,
        md5(string_agg(passage_id || text_hash, '|' order by passage_id)) as digest
    from passages
    group by corpus_id, document_id

),

parts as (

    select * from asked
    union all
    select * from judgments_digested
    union all
    select * from answered
    union all
    select * from searched

)

select
    'filings' as hashed,
    md5(judgments_of_filings.digest || answers_of_filings.digest) as gold_hash
from judgments_of_filings
cross join answers_of_filings

union all

select
    'frozen' as hashed,
    md5(string_agg(item_id || text_hash, '|' order by item_id)) as gold_hash
from anchors
having count(*) > 0

union all

select
    gold_set as hashed,
    md5(string_agg(digest, '|' order by part)) as gold_hash
from parts
group by gold_set
