-- How do answers of systems score on public benchmarks, officially and strictly?
-- Read mean as over answers that could be measured, mean_of_asked as over all of the
-- set. May be empty: benchmarks_paths names no answers.
with

benchmark_summaries as (

    select * from {{ ref('benchmark_summaries') }}

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
from benchmark_summaries
where
    mode <> 'retrieval'
    and slice_name = 'overall'
order by gold_set asc, metric asc, mode asc, mean desc nulls last, system_id asc
