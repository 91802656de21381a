{#-
    What a null scores on a gate: the random order of the same regime and, for answers, a
    random system that answers and a random answer of the same type. A gate that a null
    passes cannot fail. A pair gate already is a comparison with a null.
-#}
with

gate_thresholds as (

    select * from {{ ref('gate_thresholds') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

int_gates_measured as (

    select * from {{ ref('int_gates_measured') }}

),

metric_floors as (

    select * from {{ ref('metric_floors') }}

),

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
                or coalesce(null_systems.answerer, 'none') <> 'none'
            )
    where not registered_systems.is_null

),

null_scores as (

    select
        nulls.system_id,
        int_gates_measured.gold_set,
        int_gates_measured.slice_name,
        int_gates_measured.slice_value,
        int_gates_measured.metric,
        int_gates_measured.k,
        int_gates_measured.unit,
        int_gates_measured.mode,
        int_gates_measured.mean as null_value
    from nulls
    inner join int_gates_measured
        on nulls.null_system_id = int_gates_measured.system_id
    where int_gates_measured.measured_in = 'summaries'

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
    where null_kind = 'random_answer'

)

-- The seed says which gates tell of the machinery, which works for the null too. The
-- null that comes nearest to passing counts.
select
    gate_thresholds.gate_id,
    gate_thresholds.corpus,
    case gate_thresholds.direction
        when 'max' then min(null_scores.null_value)
        else max(null_scores.null_value)
    end as null_value
from gate_thresholds
inner join null_scores
    on
        gate_thresholds.system_id = null_scores.system_id
        and gate_thresholds.gold_set = null_scores.gold_set
        and gate_thresholds.slice_name = null_scores.slice_name
        and gate_thresholds.slice_value = null_scores.slice_value
        and gate_thresholds.metric = null_scores.metric
        and gate_thresholds.k = null_scores.k
        and gate_thresholds.unit = null_scores.unit
        and gate_thresholds.mode = null_scores.mode
where
    gate_thresholds.measured_in = 'summaries'
    and gate_thresholds.is_held_against_null
    and not isnan(null_scores.null_value)
group by
    gate_thresholds.gate_id,
    gate_thresholds.corpus,
    gate_thresholds.direction
