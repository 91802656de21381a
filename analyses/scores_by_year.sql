-- Does a system do worse on filings of some years? Hit@5 of anchors by fiscal year, and
-- of questions about one year their evidence recall@10 and accuracy.
-- Read down a metric and system. Items of one filing resemble each other, so the
-- interval counts each filing as one item, and its bounds are those of a share: wide on
-- the safe side. Questions about several years stand in no row.
with

metric_values as (

    select * from {{ ref('metric_values') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

anchors as (

    select * from {{ ref('anchors') }}

),

questions as (

    select * from {{ ref('questions') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

items as (

    select
        item_id,
        report_year,
        filing_id as cluster_id
    from anchors

    union all

    -- Several companies in one year are a cluster of their own.
    select
        questions.item_id,
        {{ item_of('gold_p3.years', 1) }} as report_year,
        {{ joined_list('gold_p3.cik_int', '|') }} as cluster_id
    from questions
    inner join gold_p3
        on questions.question_id = gold_p3.question_id
    where {{ list_length('gold_p3.years') }} = 1

),

by_year as (

    select
        metric_values.gold_set,
        metric_values.system_id,
        metric_values.metric,
        metric_values.k,
        items.report_year,
        count(*) as n_asked,
        count(metric_values.value) as n_evaluated,
        count(distinct items.cluster_id)
        filter (where metric_values.value is not null) as n_filings,
        {{ exact_mean('metric_values.value') }} as mean
    from metric_values
    inner join items
        on metric_values.item_id = items.item_id
    inner join registered_systems
        on metric_values.system_id = registered_systems.system_id
    where
        not registered_systems.is_null
        and (
            (metric_values.metric = 'hit' and metric_values.k = 5)
            or (
                metric_values.metric = 'evidence_recall'
                and metric_values.k = 10
            )
            or metric_values.metric = 'answer_accuracy'
        )
    group by
        metric_values.gold_set,
        metric_values.system_id,
        metric_values.metric,
        metric_values.k,
        items.report_year

)

select
    gold_set,
    metric,
    k,
    system_id,
    report_year,
    n_asked,
    n_evaluated,
    n_filings,
    mean,
    {{ wilson_bound('mean', 'n_filings', 'low') }} as ci_low,
    {{ wilson_bound('mean', 'n_filings', 'high') }} as ci_high
from by_year
order by gold_set, metric, k, system_id, report_year
