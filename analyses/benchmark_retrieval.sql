-- What do dense, BM25 and hybrid find on public benchmarks, by kind of evidence?
-- Read each beside the random system of its regime; filtered systems know the context.
-- May be empty: benchmarks_paths names no set.
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

)

select
    gold_set,
    system_id,
    metric,
    unit,
    k,
    n_evaluated,
    n_uncovered,
    mean,
    ci_low,
    ci_high
from metric_summaries
where
    gold_set not in ('p1', 'p2', 'p3')
    and unit <> 'answer'
    and slice_name = 'overall'
    and k in (0, 5, 10)
    and n_evaluated > 0
order by gold_set asc, metric asc, unit asc, k asc, mean desc, system_id asc
