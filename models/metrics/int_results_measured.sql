{#-
    What history keeps of a run: figures of the whole, of scopes and of categories, with one
    hash for what came out. Nine digits, since the last bits of a mean say nothing; a figure
    that is not there is written as such, or two of them would look like one.
-#}
with

metric_summaries as (

    select *
    from {{ ref('metric_summaries') }}
    where slice_name in ('overall', 'sound', 'sound_scope', 'scope', 'category')

),

-- Materialized: DuckDB would else join the megabytes behind the hash to each figure and
-- hash them there, minutes for fifty systems.
hashed as materialized (

    select
        run_id,
        count(*) as n_figures,
        md5(
            string_agg(
                concat_ws(
                    '|',
                    summary_id,
                    coalesce(scorer_id, '-'),
                    cast(n_asked as varchar),
                    cast(n_evaluated as varchar),
                    cast(n_uncovered as varchar),
                    cast(n_abstained as varchar),
                    cast(n_failed as varchar),
                    cast(n_not_run as varchar),
                    cast(n_unscored as varchar),
                    coalesce(cast(round(mean, 9) as varchar), '-'),
                    coalesce(cast(round(ci_low, 9) as varchar), '-'),
                    coalesce(cast(round(ci_high, 9) as varchar), '-')
                ),
                '|' order by summary_id
            )
        ) as results_hash
    from metric_summaries
    group by run_id

)

select
    metric_summaries.run_id,
    metric_summaries.summary_id,
    metric_summaries.system_id,
    metric_summaries.gold_set,
    metric_summaries.slice_name,
    metric_summaries.slice_value,
    metric_summaries.metric,
    metric_summaries.k,
    metric_summaries.unit,
    metric_summaries.mode,
    metric_summaries.scorer_id,
    metric_summaries.n_asked,
    metric_summaries.n_evaluated,
    metric_summaries.n_uncovered,
    metric_summaries.n_abstained,
    metric_summaries.n_failed,
    metric_summaries.n_not_run,
    metric_summaries.n_unscored,
    metric_summaries.mean,
    metric_summaries.ci_low,
    metric_summaries.ci_high,
    hashed.n_figures,
    hashed.results_hash
from metric_summaries
inner join hashed
    on metric_summaries.run_id = hashed.run_id
