{#-
    Every question for a figure and every real system: what its figure is worth.
    Nulls are judged by the same code but are no systems.
-#}
with

py_answers_scored as (

    select *
    from {{ ref('py_answers_scored') }}
    where
        null_kind is null
        and figure is not null

)

select
    system_id,
    gold_set,
    item_id,
    outcome,
    {{ unnest_structs('[figure]') }}
from py_answers_scored
