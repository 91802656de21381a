{#-
    Questions that are flagged as bad: before answering, whoever was asked, or by what several
    systems answered. Gates and comparisons leave them out, and one gate counts them.
-#}
with

int_items_graded as (

    select * from {{ ref('int_items_graded') }}

),

answer_diagnosis_flags as (

    select * from {{ ref('answer_diagnosis_flags') }}

),

excluded_after as (

    select item_id
    from answer_diagnosis_flags
    where is_excluding
    group by item_id

)

select
    int_items_graded.item_id,
    int_items_graded.is_excluded as is_excluded_before,
    excluded_after.item_id is not null as is_excluded_after
from int_items_graded
left join excluded_after
    on int_items_graded.item_id = excluded_after.item_id
where
    int_items_graded.is_excluded
    or excluded_after.item_id is not null
