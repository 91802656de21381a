{#-
    Values of searches, of answers, of descriptions of lines and of sessions of agents, and
    what a judge says of answers and contexts.
-#}
with

runs as (

    select * from {{ ref('runs') }}

),

int_retrieval_values as (

    select * from {{ ref('int_retrieval_values') }}

),

int_answer_values as (

    select * from {{ ref('int_answer_values') }}

),

int_llm_judged_values as (

    select * from {{ ref('int_llm_judged_values') }}

),

int_line_values as (

    select * from {{ ref('int_line_values') }}

),

int_agent_values as (

    select * from {{ ref('int_agent_values') }}

),

-- An answer has no ties.
collected as (

    select
        system_id,
        gold_set,
        item_id,
        metric,
        k,
        unit,
        mode,
        value_status,
        value,
        value_best,
        value_worst,
        value_expected,
        cast(null as varchar) as scorer_id
    from int_retrieval_values

    union all

    select
        system_id,
        gold_set,
        item_id,
        metric,
        k,
        unit,
        mode,
        value_status,
        value,
        cast(null as double) as value_best,
        cast(null as double) as value_worst,
        cast(null as double) as value_expected,
        scorer_id
    from int_answer_values
    where null_kind is null

    union all

    select
        system_id,
        gold_set,
        item_id,
        metric,
        k,
        unit,
        mode,
        value_status,
        value,
        cast(null as double) as value_best,
        cast(null as double) as value_worst,
        cast(null as double) as value_expected,
        scorer_id
    from int_llm_judged_values

    union all

    select
        system_id,
        gold_set,
        item_id,
        metric,
        k,
        unit,
        mode,
        value_status,
        value,
        cast(null as double) as value_best,
        cast(null as double) as value_worst,
        cast(null as double) as value_expected,
        cast(null as varchar) as scorer_id
    from int_line_values

    union all

    select
        system_id,
        gold_set,
        item_id,
        metric,
        k,
        unit,
        mode,
        value_status,
        value,
        cast(null as double) as value_best,
        cast(null as double) as value_worst,
        cast(null as double) as value_expected,
        cast(null as varchar) as scorer_id
    from int_agent_values

)

select
    runs.run_id,
    collected.system_id,
    collected.gold_set,
    collected.item_id,
    collected.metric,
    collected.k,
    collected.unit,
    collected.mode,
    collected.value_status,
    collected.value,
    collected.value_best,
    collected.value_worst,
    collected.value_expected,
    collected.scorer_id
from collected
cross join runs
