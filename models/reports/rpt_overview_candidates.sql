{#-
    Each candidate beside the best reference and the strongest null, on the metrics that
    its gates hold against a null; of every other public set that it was measured on, on one
    metric: the first that has a value, of answers before those of rankings.
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

metric_floors as (

    select *
    from {{ ref('metric_floors') }}
    where null_kind = 'strongest'

),

page_figures as (

    select * from {{ ref('page_figures') }}

),

candidates as (

    select system_id
    from registered_systems
    where role = 'candidate'

),

candidate_gates as (

    select gate_verdicts.*
    from gate_verdicts
    inner join candidates
        on gate_verdicts.system_id = candidates.system_id
    where gate_verdicts.statistic = 'ci_low_above_null'

),

-- The cards of the page on answers come in the order of what says most of a set.
on_public_sets as (

    select metric_summaries.*
    from metric_summaries
    inner join candidates
        on metric_summaries.system_id = candidates.system_id
    inner join page_figures
        on
            page_figures.figure_id in ('card', 'ranking_of_a_set')
            and metric_summaries.metric = page_figures.metric
            and metric_summaries.k = page_figures.k
            and metric_summaries.unit = page_figures.unit
            and metric_summaries.mode = page_figures.mode
    anti join candidate_gates
        on
            metric_summaries.system_id = candidate_gates.system_id
            and metric_summaries.gold_set = candidate_gates.gold_set
    where
        {{ gold_set_is('public', 'metric_summaries.gold_set') }}
        and metric_summaries.slice_name
        = {{ headline_slice('metric_summaries.gold_set') }}
        and metric_summaries.slice_value = 'all'
    qualify
        row_number() over (
            partition by metric_summaries.system_id, metric_summaries.gold_set
            order by metric_summaries.n_evaluated = 0, page_figures.figure_pos
        ) = 1

),

shown as (

    select
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        unit,
        mode,
        null_value,
        verdict = 'not_applicable' as is_excused
    from candidate_gates

    union all

    select
        on_public_sets.system_id,
        on_public_sets.gold_set,
        on_public_sets.slice_name,
        on_public_sets.slice_value,
        on_public_sets.metric,
        on_public_sets.k,
        on_public_sets.unit,
        on_public_sets.mode,
        metric_floors.null_mean as null_value,
        false as is_excused
    from on_public_sets
    left join metric_floors
        on
            on_public_sets.system_id = metric_floors.system_id
            and on_public_sets.gold_set = metric_floors.gold_set
            and on_public_sets.slice_name = metric_floors.slice_name
            and on_public_sets.slice_value = metric_floors.slice_value
            and on_public_sets.metric = metric_floors.metric
            and on_public_sets.k = metric_floors.k
            and on_public_sets.unit = metric_floors.unit
            and on_public_sets.mode = metric_floors.mode

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
            order by metric_summaries.mean desc, metric_summaries.system_id asc
        ) as place
    from metric_summaries
    inner join registered_systems
        on
            metric_summaries.system_id = registered_systems.system_id
            and registered_systems.role = 'reference'
    where metric_summaries.mean is not null

)

select
    runs.run_id,
    shown.system_id,
    shown.gold_set,
    {{ gold_set_is('public', 'shown.gold_set') }} as is_public,
    shown.metric,
    shown.k,
    shown.unit,
    shown.mode,
    -- An official and a strict reading of one metric stand side by side.
    metric_catalogue.label
    || case when shown.mode = 'finrag' then '' else ', ' || shown.mode end
        as metric_label,
    measured.mean as value,
    measured.ci_low,
    measured.ci_high,
    measured.n_evaluated as n,
    measured.n_asked,
    measured.n_failed,
    measured.n_not_run,
    references_measured.system_id as reference_id,
    references_measured.mean as reference_value,
    shown.null_value
from shown
cross join runs
inner join metric_catalogue
    on
        shown.metric = metric_catalogue.metric
        and shown.k = metric_catalogue.k
        and shown.unit = metric_catalogue.unit
        and shown.mode = metric_catalogue.mode
left join metric_summaries as measured
    on
        shown.system_id = measured.system_id
        and shown.gold_set = measured.gold_set
        and shown.slice_name = measured.slice_name
        and shown.slice_value = measured.slice_value
        and shown.metric = measured.metric
        and shown.k = measured.k
        and shown.unit = measured.unit
        and shown.mode = measured.mode
left join references_measured
    on
        shown.gold_set = references_measured.gold_set
        and shown.slice_name = references_measured.slice_name
        and shown.slice_value = references_measured.slice_value
        and shown.metric = references_measured.metric
        and shown.k = references_measured.k
        and shown.unit = references_measured.unit
        and shown.mode = references_measured.mode
        and references_measured.place = 1
-- What a gate is excused from and nobody asked is no figure.
where not shown.is_excused or measured.n_asked > 0
