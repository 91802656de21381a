with

runs as (

    select * from {{ ref('runs') }}

),

metric_drifts as (

    select * from {{ ref('metric_drifts') }}

),

baseline_metrics as (

    select * from {{ ref('baseline_metrics') }}

),

kept as (

    select
        max(cast(set_on as varchar)) as set_on,
        max(reason) as reason,
        max(corpus) as corpus,
        max(encoder) as encoder,
        max(evaluation_id) as evaluation_id
    from baseline_metrics
    where baseline = {{ sql_literal(var('baseline')) }}

),

counted as (

    select
        count(*) as n_figures,
        count(*) filter (where is_comparable) as n_comparable,
        count(*) filter (where is_comparable and mean is null) as n_missing,
        count(*) filter (where is_beyond_interval) as n_beyond_interval
    from metric_drifts

)

select
    runs.run_id,
    {{ sql_literal(var('baseline')) }} as baseline,
    case
        when counted.n_figures = 0 then 'unmeasured'
        when counted.n_comparable = 0 then 'not_applicable'
        else 'measured'
    end as status,
    case
        when counted.n_figures = 0
            then
                'There is no baseline ' || {{ sql_literal(var('baseline')) }}
                || ': drift cannot be told, and the gates on drift do not apply. After '
                || 'a build you trust run finrag baseline '
                || {{ sql_literal(var('baseline')) }}
                || ' --reason "why this run", commit the seed, and build again.'
        when counted.n_comparable = 0
            then
                'No figure of the baseline can be compared with this run; each row '
                || 'says why not.'
    end as why,
    kept.set_on,
    kept.reason,
    kept.corpus,
    kept.encoder,
    kept.evaluation_id,
    counted.n_figures,
    counted.n_comparable,
    counted.n_missing,
    counted.n_beyond_interval
from counted
cross join runs
cross join kept
