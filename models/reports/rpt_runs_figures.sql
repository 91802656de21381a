with

recorded_metrics as (

    select * from {{ ref('recorded_metrics') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

page_figures as (

    select * from {{ ref('page_figures') }}

),

figures as (

    select *
    from page_figures
    where shown_in = 'rpt_runs_figures'

)

-- A system that runs no longer keeps its past. Questions flagged as bad are left out,
-- as the gates leave them out.
select
    recorded_metrics.results_hash,
    recorded_metrics.system_id,
    coalesce(registered_systems.is_null, false) as is_null,
    figures.figure_pos,
    figures.figure,
    figures.gold_set,
    figures.metric,
    figures.k,
    figures.unit,
    figures.mode,
    case
        when recorded_metrics.mean is null or isnan(recorded_metrics.mean)
            then 'unmeasured'
        else 'measured'
    end as status,
    case
        when recorded_metrics.mean is null or isnan(recorded_metrics.mean)
            then
                'None of ' || cast(recorded_metrics.n_asked as varchar)
                || ' could be scored.'
    end as why,
    case when not isnan(recorded_metrics.mean) then recorded_metrics.mean end
        as value,
    recorded_metrics.ci_low,
    recorded_metrics.ci_high,
    recorded_metrics.n_evaluated as n,
    recorded_metrics.n_asked,
    -- Which of the two comparisons of builds holds for it.
    {{ gold_set_is('filings', 'figures.gold_set') }} as is_of_questions
from recorded_metrics
inner join figures
    on
        recorded_metrics.gold_set = figures.gold_set
        and recorded_metrics.metric = figures.metric
        and recorded_metrics.k = figures.k
        and recorded_metrics.unit = figures.unit
        and recorded_metrics.mode = figures.mode
left join registered_systems
    on recorded_metrics.system_id = registered_systems.system_id
where
    recorded_metrics.slice_name
    = {{ headline_slice('figures.gold_set') }}
    and recorded_metrics.slice_value = 'all'
