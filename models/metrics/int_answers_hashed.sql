{#-
    What history keeps of the answers of this build, with one hash of them all.
-#}
with

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

-- Materialized: else DuckDB joins the text behind the hash to each answer.
hashed as materialized (

    select
        md5(
            string_agg(
                concat_ws(
                    '|',
                    system_id,
                    item_id,
                    outcome,
                    coalesce(cast(is_right as varchar), '-')
                ),
                '|' order by system_id, item_id
            )
        ) as answers_hash
    from answer_verdicts

)

select
    hashed.answers_hash,
    answer_verdicts.system_id,
    answer_verdicts.gold_set,
    answer_verdicts.item_id,
    answer_verdicts.outcome,
    answer_verdicts.is_right
from answer_verdicts
cross join hashed
