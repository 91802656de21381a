-- What do dense, BM25 and hybrid find on public benchmarks, by kind of evidence?
-- Read each beside the random system of its regime; filtered systems know the context.
-- May be empty: benchmarks_paths names no set.
with

benchmark_summaries as (

    select * from {{ ref('benchmark_summaries') }}

)

select
    gold_set,
    system_id,
    metric,
    k,
    n_evaluated,
    n_uncovered,
    mean,
    ci_low,
    ci_high
from benchmark_summaries
where
    mode = 'retrieval'
    and slice_name = 'overall'
    and k in (0, 5, 10)
    and n_evaluated > 0
order by gold_set asc, metric asc, k asc, mean desc, system_id asc
