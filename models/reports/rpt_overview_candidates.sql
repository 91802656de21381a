{#-
    Each candidate beside the best reference and the strongest null, on the metrics that
    its gates hold against a null.
-#}
with

runs as (

    select * from {{ ref('runs') }}

),

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

candidate_gates as (

    select gate_verdicts.*
    from gate_verdicts
    inner join registered_systems
        on
            gate_verdicts.system_id = registered_systems.system_id
            and registered_systems.role = 'candidate'
    where gate_verdicts.statistic = 'ci_low_above_null'

),

references_measured as (

    select
        metric_summaries.*,
        row_number() over (
            partition by
                metric_summaries.gold_set,
                metric_summaries.slice_name,
                metric_summaries.slice_value,
                metric_summaries.metric,
                metric_summaries.k,
                metric_summaries.unit,
                metric_summaries.mode
            order by
                metric_summaries.mean desc nulls last,
                metric_summaries.system_id asc
        ) as place
    from metric_summaries
    inner join registered_systems
        on
            metric_summaries.system_id = registered_systems.system_id
            and registered_systems.role = 'reference'

)

select
    runs.run_id,
    candidate_gates.system_id,
    candidate_gates.gold_set,
    candidate_gates.metric,
    candidate_gates.k,
    candidate_gates.unit,
    candidate_gates.mode,
    metric_catalogue.label as metric_label,
    measured.mean as value,
    measured.ci_low,
    measured.ci_high,
    measured.n_evaluated as n,
    measured.n_asked,
    measured.n_failed,
    measured.n_not_run,
    references_measured.system_id as reference_id,
    references_measured.mean as reference_value,
    candidate_gates.null_value
from candidate_gates
cross join runs
inner join metric_catalogue
    on
        candidate_gates.metric = metric_catalogue.metric
        and candidate_gates.k = metric_catalogue.k
        and candidate_gates.unit = metric_catalogue.unit
        and candidate_gates.mode = metric_catalogue.mode
left join metric_summaries as measured
    on
        candidate_gates.system_id = measured.system_id
        and candidate_gates.gold_set = measured.gold_set
        and candidate_gates.slice_name = measured.slice_name
        and candidate_gates.slice_value = measured.slice_value
        and candidate_gates.metric = measured.metric
        and candidate_gates.k = measured.k
        and candidate_gates.unit = measured.unit
        and candidate_gates.mode = measured.mode
left join references_measured
    on
        candidate_gates.gold_set = references_measured.gold_set
        and candidate_gates.slice_name = references_measured.slice_name
        and candidate_gates.slice_value = references_measured.slice_value
        and candidate_gates.metric = references_measured.metric
        and candidate_gates.k = references_measured.k
        and candidate_gates.unit = references_measured.unit
        and candidate_gates.mode = references_measured.mode
        and references_measured.place = 1
