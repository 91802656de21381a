{#-
    Questions that have a page. Those of the filings all have one; of a public set,
    which may hold thousands, the hardest do, up to the variable
    public_questions_shown: what went wrong comes first.
-#}
with

items as (

    select *
    from {{ ref('items') }}
    where item_kind = 'question'

),

answer_diagnoses as (

    select * from {{ ref('answer_diagnoses') }}

),

placed as (

    select
        items.gold_set,
        items.item_id,
        items.question_id,
        coalesce(items.question_text, '') as question_text,
        items.document_id,
        items.variant_of,
        items.gold_version,
        count(*) over (partition by items.gold_set) as n_in_set,
        row_number() over (
            partition by items.gold_set
            order by
                answer_diagnoses.hardness_rank asc nulls last,
                items.item_id asc
        ) as place
    from items
    left join answer_diagnoses
        on
            items.gold_set = answer_diagnoses.gold_set
            and items.item_id = answer_diagnoses.item_id

)

select
    {{ question_page_id('gold_set', 'item_id') }} as page_id,
    gold_set,
    item_id,
    question_id,
    question_text,
    document_id,
    variant_of,
    gold_version,
    n_in_set
from placed
where
    {{ gold_set_is('filings', 'gold_set') }}
    or place <= {{ var('public_questions_shown') }}
