{#-
    Values of searches, of answers, of descriptions of lines and of sessions of agents, and
    what a judge says of answers and contexts. Where not one passage that a system returned for
    a gold set is recognised, what is measured by passages is not scored.
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

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

returned_passages as (

    select * from {{ ref('returned_passages') }}

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

),

unmeasured as (

    select
        returned_passages.system_id,
        returned_passages.gold_set,
        metric_catalogue.metric,
        metric_catalogue.k,
        metric_catalogue.unit,
        metric_catalogue.mode
    from returned_passages
    cross join metric_catalogue
    where
        returned_passages.n_recognised = 0
        and {{ needs_passages('metric_catalogue') }}

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
    case
        when unmeasured.metric is not null and collected.value_status = 'evaluated'
            then 'unscored'
        else collected.value_status
    end as value_status,
    case when unmeasured.metric is null then collected.value end as value,
    case when unmeasured.metric is null then collected.value_best end as value_best,
    case when unmeasured.metric is null then collected.value_worst end as value_worst,
    case when unmeasured.metric is null then collected.value_expected end
        as value_expected,
    collected.scorer_id
from collected
cross join runs
left join unmeasured
    on
        collected.system_id = unmeasured.system_id
        and collected.gold_set = unmeasured.gold_set
        and collected.metric = unmeasured.metric
        and collected.k = unmeasured.k
        and collected.unit = unmeasured.unit
        and collected.mode = unmeasured.mode
