-- Does a system do worse on filings of some years? Hit@5 of anchors by fiscal year, and
-- of questions about one year their evidence recall@10 and accuracy.
-- Read down a metric and system; where intervals overlap widely the years do not differ
-- for sure. Items of one filing or company resemble each other and are one cluster:
-- below five clusters an interval says little. Questions about several years stand in
-- no row.
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

)

select
    metric_summaries.gold_set,
    metric_summaries.metric,
    metric_summaries.k,
    metric_summaries.unit,
    metric_summaries.mode,
    metric_summaries.system_id,
    cast(metric_summaries.slice_value as integer) as report_year,
    metric_summaries.n_asked,
    metric_summaries.n_evaluated,
    metric_summaries.n_clusters,
    metric_summaries.mean,
    metric_summaries.ci_low,
    metric_summaries.ci_high
from metric_summaries
inner join registered_systems
    on metric_summaries.system_id = registered_systems.system_id
where
    metric_summaries.slice_name = 'year'
    and not registered_systems.is_null
    and (
        (metric_summaries.metric = 'hit' and metric_summaries.k = 5)
        or (
            metric_summaries.metric = 'evidence_recall'
            and metric_summaries.k = 10
        )
        or metric_summaries.metric = 'answer_accuracy'
    )
order by
    metric_summaries.gold_set,
    metric_summaries.metric,
    metric_summaries.k,
    metric_summaries.unit,
    metric_summaries.mode,
    metric_summaries.system_id,
    report_year
