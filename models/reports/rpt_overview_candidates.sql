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

int_summaries_banded as (

    select * from {{ ref('int_summaries_banded') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

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

    select int_summaries_banded.*
    from int_summaries_banded
    inner join candidates
        on int_summaries_banded.system_id = candidates.system_id
    inner join page_figures
        on
            page_figures.figure_id in ('card', 'ranking_of_a_set')
            and int_summaries_banded.metric = page_figures.metric
            and int_summaries_banded.k = page_figures.k
            and int_summaries_banded.unit = page_figures.unit
            and int_summaries_banded.mode = page_figures.mode
    anti join candidate_gates
        on
            int_summaries_banded.system_id = candidate_gates.system_id
            and int_summaries_banded.gold_set = candidate_gates.gold_set
    where
        {{ gold_set_is('public', 'int_summaries_banded.gold_set') }}
        and int_summaries_banded.slice_name
        = {{ headline_slice('int_summaries_banded.gold_set') }}
        and int_summaries_banded.slice_value = 'all'
    qualify
        row_number() over (
            partition by int_summaries_banded.system_id, int_summaries_banded.gold_set
            order by int_summaries_banded.n_evaluated = 0, page_figures.figure_pos
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
        verdict = 'not_applicable' as is_excused
    from candidate_gates

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
        false as is_excused
    from on_public_sets

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
    measured.reference_id,
    measured.reference_value,
    measured.null_value,
    measured.band
from shown
cross join runs
inner join metric_catalogue
    on
        shown.metric = metric_catalogue.metric
        and shown.k = metric_catalogue.k
        and shown.unit = metric_catalogue.unit
        and shown.mode = metric_catalogue.mode
left join int_summaries_banded as measured
    on
        shown.system_id = measured.system_id
        and shown.gold_set = measured.gold_set
        and shown.slice_name = measured.slice_name
        and shown.slice_value = measured.slice_value
        and shown.metric = measured.metric
        and shown.k = measured.k
        and shown.unit = measured.unit
        and shown.mode = measured.mode
-- What a gate is excused from and nobody asked is no figure.
where not shown.is_excused or measured.n_asked > 0
