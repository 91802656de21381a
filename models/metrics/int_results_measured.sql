{#- What history keeps of a run: figures of the whole, of scopes and of categories. -#}
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

)

select
    run_id,
    summary_id,
    system_id,
    gold_set,
    slice_name,
    slice_value,
    metric,
    k,
    unit,
    mode,
    scorer_id,
    n_asked,
    n_evaluated,
    n_uncovered,
    n_abstained,
    n_failed,
    n_not_run,
    n_unscored,
    mean,
    ci_low,
    ci_high
from metric_summaries
where slice_name in ('overall', 'sound', 'sound_scope', 'scope', 'category')
