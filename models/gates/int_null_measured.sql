{#-
    What a null scores on a gate: the random order of the same regime and, for answers, a
    random system that answers and a random answer of the same type. A gate that a null
    passes cannot fail. A pair gate already is a comparison with a null.
-#}
with

int_gates_expected as (

    select * from {{ ref('int_gates_expected') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

metric_floors as (

    select * from {{ ref('metric_floors') }}

),

-- A candidate is held against the best of all nulls.
nulls as (

    select
        registered_systems.system_id,
        null_systems.system_id as null_system_id
    from registered_systems
    inner join registered_systems as null_systems
        on
            null_systems.is_null
            and (
                registered_systems.regime = null_systems.regime
                or registered_systems.role = 'candidate'
                or coalesce(null_systems.answerer, 'none') <> 'none'
            )
    where not registered_systems.is_null

),

null_scores as (

    select
        nulls.system_id,
        metric_summaries.gold_set,
        metric_summaries.slice_name,
        metric_summaries.slice_value,
        metric_summaries.metric,
        metric_summaries.k,
        metric_summaries.unit,
        metric_summaries.mode,
        metric_summaries.mean as null_value
    from nulls
    inner join metric_summaries
        on nulls.null_system_id = metric_summaries.system_id

    union all

    select
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        unit,
        mode,
        null_mean as null_value
    from metric_floors
    where
        null_kind = 'random_answer'
        or (
            null_kind = 'strongest'
            and system_id in (
                select registered_systems.system_id
                from registered_systems
                where registered_systems.role = 'candidate'
            )
        )

)

-- The seed says which gates tell of the machinery, which works for the null too. The
-- null that comes nearest to passing counts.
select
    int_gates_expected.gate_id,
    int_gates_expected.corpus,
    case int_gates_expected.direction
        when 'max' then min(null_scores.null_value)
        else max(null_scores.null_value)
    end as null_value
from int_gates_expected
inner join null_scores
    on
        int_gates_expected.system_id = null_scores.system_id
        and int_gates_expected.gold_set = null_scores.gold_set
        and int_gates_expected.slice_name = null_scores.slice_name
        and int_gates_expected.slice_value = null_scores.slice_value
        and int_gates_expected.metric = null_scores.metric
        and int_gates_expected.k = null_scores.k
        and int_gates_expected.unit = null_scores.unit
        and int_gates_expected.mode = null_scores.mode
where
    int_gates_expected.measured_in = 'summaries'
    and int_gates_expected.is_held_against_null
    and not isnan(null_scores.null_value)
group by
    int_gates_expected.gate_id,
    int_gates_expected.corpus,
    int_gates_expected.direction
