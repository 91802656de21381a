-- How do answers of systems score on public benchmarks, officially and strictly?
-- Read mean as over answers that could be measured, mean_of_asked as over all of the
-- set. May be empty: benchmarks_paths names no answers.
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

)

select
    gold_set,
    metric,
    mode,
    system_id,
    n_asked,
    n_evaluated,
    n_unscored,
    n_failed,
    n_not_run,
    mean,
    ci_low,
    ci_high,
    mean_of_asked
from metric_summaries
where
    gold_set not in ('p1', 'p2', 'p3')
    and mode <> 'finrag'
    and slice_name = 'overall'
order by gold_set asc, metric asc, mode asc, mean desc nulls last, system_id asc
