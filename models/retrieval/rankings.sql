with

py_anchors_ranked as (

    select * from {{ ref('py_anchors_ranked') }}

),

py_questions_ranked as (

    select * from {{ ref('py_questions_ranked') }}

),

int_external_items_ranked as (

    select * from {{ ref('int_external_items_ranked') }}

),

ranked as (

    select
        system_id,
        gold_set,
        item_id,
        rank,
        sentence_id,
        score,
        n_tied,
        cast(null as varchar) as found_by
    from py_anchors_ranked

    union all

    select
        system_id,
        gold_set,
        item_id,
        rank,
        sentence_id,
        score,
        n_tied,
        found_by
    from py_questions_ranked

    union all

    select
        system_id,
        gold_set,
        item_id,
        rank,
        sentence_id,
        score,
        n_tied,
        found_by
    from int_external_items_ranked

)

select
    system_id,
    gold_set,
    item_id,
    rank,
    sentence_id,
    score,
    n_tied,
    found_by
from ranked
where rank is not null
