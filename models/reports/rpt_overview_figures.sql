with

runs as (

    select * from {{ ref('runs') }}

),

registered_systems as (

    select *
    from {{ ref('registered_systems') }}
    where gold_sets is null

),

int_summaries_banded as (

    select * from {{ ref('int_summaries_banded') }}

),

metric_drifts as (

    select * from {{ ref('metric_drifts') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

system_pairs as (

    select * from {{ ref('system_pairs') }}

),

page_figures as (

    select * from {{ ref('page_figures') }}

),

figures as (

    select *
    from page_figures
    where shown_in = 'rpt_overview_figures'

),

-- Questions flagged as bad are left out, as the gates leave them out.
summaries as (

    select *
    from int_summaries_banded
    where
        slice_name = {{ headline_slice('gold_set') }}
        and slice_value = 'all'

),

standings as (

    select
        summaries.system_id,
        max(summaries.mean) filter (where page_figures.figure_id = 'answers')
            as answers_mean,
        max(summaries.mean) filter (where page_figures.figure_id = 'evidence')
            as evidence_mean,
        max(summaries.mean) filter (where page_figures.figure_id = 'neighbours')
            as neighbours_mean
    from summaries
    inner join page_figures
        on
            page_figures.shown_in = 'order_of_systems'
            and summaries.gold_set = page_figures.gold_set
            and summaries.metric = page_figures.metric
            and summaries.k = page_figures.k
            and summaries.unit = page_figures.unit
            and summaries.mode = page_figures.mode
    group by summaries.system_id

),

-- What knows nothing comes last, however well it does.
ranked as (

    select
        registered_systems.system_id,
        registered_systems.role,
        registered_systems.is_null,
        registered_systems.asks,
        registered_systems.answerer,
        row_number() over (
            order by
                registered_systems.is_null asc,
                standings.answers_mean desc nulls last,
                standings.evidence_mean desc nulls last,
                standings.neighbours_mean desc nulls last,
                registered_systems.system_id asc
        ) as system_pos
    from registered_systems
    left join standings
        on registered_systems.system_id = standings.system_id

),

-- One gate a figure, over the very items of the figure: the one whose breach would stop
-- the build.
gates as (

    select *
    from gate_verdicts
    where
        measured_in = 'summaries'
        and statistic = 'mean'
        and slice_name = {{ headline_slice('gold_set') }}
        and slice_value = 'all'
    qualify
        row_number() over (
            partition by system_id, gold_set, metric, k, unit, mode
            order by severity asc, gate_id asc
        ) = 1

),

-- A gate over a pair of systems judges the first of them.
gates_of_metrics as (

    select
        coalesce(system_pairs.system_a, gate_verdicts.system_id) as system_id,
        gate_verdicts.gold_set,
        gate_verdicts.metric,
        gate_verdicts.k,
        gate_verdicts.unit,
        gate_verdicts.mode,
        count(*) as n_gates
    from gate_verdicts
    left join system_pairs
        on gate_verdicts.system_id = system_pairs.pair_id
    group by
        coalesce(system_pairs.system_a, gate_verdicts.system_id),
        gate_verdicts.gold_set,
        gate_verdicts.metric,
        gate_verdicts.k,
        gate_verdicts.unit,
        gate_verdicts.mode

),

drifts as (

    select *
    from metric_drifts
    where
        slice_name = {{ headline_slice('gold_set') }}
        and slice_value = 'all'

),

baseline as (

    select count(*) > 0 as has_baseline
    from metric_drifts

),

-- Whoever the figure is measured of: the system, or the gold itself.
listed as (

    select
        ranked.system_id,
        ranked.system_pos,
        ranked.role,
        ranked.is_null,
        ranked.asks,
        ranked.answerer,
        figures.figure_pos,
        figures.figure_id,
        figures.figure,
        figures.measured_of,
        figures.meaning,
        figures.gold_set,
        figures.metric,
        figures.k,
        figures.unit,
        figures.mode,
        case
            when figures.measured_of = 'gold' then 'gold'
            else ranked.system_id
        end as measured_id
    from ranked
    cross join figures

),

joined as (

    select
        runs.run_id,
        runs.n_questions,
        listed.system_id,
        listed.system_pos,
        listed.role,
        listed.is_null,
        listed.asks,
        listed.answerer,
        listed.figure_pos,
        listed.figure_id,
        listed.figure,
        listed.measured_of,
        listed.meaning,
        listed.gold_set,
        listed.metric,
        listed.k,
        listed.unit,
        listed.mode,
        summaries.system_id is not null as is_asked,
        case
            when not isnan(summaries.mean) and not isinf(summaries.mean)
                then summaries.mean
        end as value,
        summaries.ci_low,
        summaries.ci_high,
        summaries.n_evaluated,
        summaries.n_asked,
        summaries.n_abstained,
        summaries.n_failed,
        summaries.n_not_run,
        summaries.n_uncovered,
        summaries.n_unscored,
        summaries.null_value,
        summaries.reference_id,
        summaries.reference_value,
        summaries.band,
        gates.gate_id,
        gates.limit_value,
        gates.verdict as gate_verdict,
        coalesce(gates_of_metrics.n_gates, 0)
        - case when gates.gate_id is null then 0 else 1 end as n_other_gates,
        coalesce(metric_catalogue.direction, 'max') as direction,
        drifts.baseline_mean as baseline_value,
        drifts.change,
        drifts.is_beyond_interval,
        drifts.why_not,
        drifts.drift_id is not null as is_in_baseline,
        baseline.has_baseline
    from listed
    cross join runs
    cross join baseline
    left join summaries
        on
            listed.measured_id = summaries.system_id
            and listed.gold_set = summaries.gold_set
            and listed.metric = summaries.metric
            and listed.k = summaries.k
            and listed.unit = summaries.unit
            and listed.mode = summaries.mode
    left join gates
        on
            listed.measured_id = gates.system_id
            and listed.gold_set = gates.gold_set
            and listed.metric = gates.metric
            and listed.k = gates.k
            and listed.unit = gates.unit
            and listed.mode = gates.mode
    left join gates_of_metrics
        on
            listed.measured_id = gates_of_metrics.system_id
            and listed.gold_set = gates_of_metrics.gold_set
            and listed.metric = gates_of_metrics.metric
            and listed.k = gates_of_metrics.k
            and listed.unit = gates_of_metrics.unit
            and listed.mode = gates_of_metrics.mode
    left join drifts
        on
            listed.measured_id = drifts.system_id
            and listed.gold_set = drifts.gold_set
            and listed.metric = drifts.metric
            and listed.k = drifts.k
            and listed.unit = drifts.unit
            and listed.mode = drifts.mode
    left join metric_catalogue
        on
            listed.metric = metric_catalogue.metric
            and listed.k = metric_catalogue.k
            and listed.unit = metric_catalogue.unit
            and listed.mode = metric_catalogue.mode

),

judged as (

    select
        *,
        case
            when value is not null then 'measured'
            when is_asked or measured_of = 'gold' then 'unmeasured'
            when measured_of = 'anchors' and asks = 'questions'
                then 'not_applicable'
            when measured_of in ('questions', 'answers') and asks = 'anchors'
                then 'not_applicable'
            when measured_of = 'answers' and coalesce(answerer, 'none') = 'none'
                then 'not_applicable'
            else 'unmeasured'
        end as status
    from joined

)

select
    run_id,
    system_id,
    cast(system_pos as integer) as system_pos,
    system_pos = 1 as is_default,
    role,
    is_null,
    figure_pos,
    figure_id,
    figure,
    meaning,
    gold_set,
    metric,
    k,
    unit,
    mode,
    status,
    case
        when status = 'measured' then null
        when status = 'not_applicable' and measured_of = 'anchors'
            then system_id || ' is asked questions only; read it at a dense system.'
        when status = 'not_applicable' and asks = 'anchors'
            then system_id || ' is asked for neighbours only.'
        when status = 'not_applicable' then system_id || ' ranks and does not answer.'
        when measured_of in ('questions', 'answers') and n_questions = 0
            then 'This build asks no questions.'
        when not is_asked then 'This build did not measure it.'
        else
            'None of ' || cast(n_asked as varchar) || ' could be scored: '
            || cast(n_abstained as varchar) || ' declined, '
            || cast(n_failed as varchar) || ' failed, '
            || cast(n_not_run as varchar) || ' not run, '
            || cast(n_uncovered as varchar) || ' without gold, '
            || cast(n_unscored as varchar) || ' with nothing to score.'
    end as why,
    value,
    case when value is not null then ci_low end as ci_low,
    case when value is not null then ci_high end as ci_high,
    n_evaluated as n,
    n_asked,
    null_value,
    reference_id,
    reference_value,
    band,
    gate_id,
    gate_verdict,
    limit_value,
    n_other_gates,
    direction,
    case
        when {{ gold_set_is('anchors', 'gold_set') }} then 'anchors'
        else 'sound questions'
    end as items,
    case when change is not null then baseline_value end as baseline_value,
    change,
    case
        when change is null or change = 0 then null
        when direction = 'max' then change > 0
        else change < 0
    end as is_better,
    is_beyond_interval,
    case
        when change is not null then null
        when not has_baseline then 'no baseline is set'
        when not is_in_baseline then 'no earlier value'
        else coalesce(why_not, 'this run has no value to compare')
    end as baseline_why
from judged
