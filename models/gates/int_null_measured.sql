{#-
    What the random null of the same regime scores on a gate: a gate that the null passes
    cannot fail. A pair gate already is a comparison with that null.
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

nulls as (

    select
        registered_systems.system_id,
        null_systems.system_id as null_system_id
    from registered_systems
    inner join registered_systems as null_systems
        on
            registered_systems.regime = null_systems.regime
            and null_systems.is_null
    where not registered_systems.is_null

),

of_systems as (

    select
        gate_thresholds.gate_id,
        gate_thresholds.corpus,
        max(int_gates_measured.mean) as null_value
    from gate_thresholds
    inner join nulls
        on gate_thresholds.system_id = nulls.system_id
    inner join int_gates_measured
        on
            nulls.null_system_id = int_gates_measured.system_id
            and gate_thresholds.gold_set = int_gates_measured.gold_set
            and gate_thresholds.slice_name = int_gates_measured.slice_name
            and gate_thresholds.slice_value = int_gates_measured.slice_value
            and gate_thresholds.metric = int_gates_measured.metric
            and gate_thresholds.k = int_gates_measured.k
    -- What phase P0, failed queries and filters tell holds for the null as well.
    where
        gate_thresholds.measured_in = 'summaries'
        and gate_thresholds.phase <> 'P0'
        and gate_thresholds.metric not in ('queries_failed', 'filter_violations')
    group by gate_thresholds.gate_id, gate_thresholds.corpus

)

select * from of_systems
