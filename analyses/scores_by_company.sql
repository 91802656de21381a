-- Which companies does a system serve worse than the rest? Headline metrics by company,
-- beside the same metric over everything.
-- Read is_apart first: true where the interval of the company does not hold the mean
-- over everything, empty where a bootstrap had fewer than five clusters to draw from.
-- Questions of one company are one cluster, so their intervals are wide on purpose. Of
-- many companies one in twenty is apart by luck alone.
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

headlines as (

    select metric_summaries.*
    from metric_summaries
    inner join metric_catalogue
        on
            metric_summaries.metric = metric_catalogue.metric
            and metric_summaries.k = metric_catalogue.k
            and metric_summaries.unit = metric_catalogue.unit
            and metric_summaries.mode = metric_catalogue.mode
    inner join registered_systems
        on metric_summaries.system_id = registered_systems.system_id
    where
        metric_catalogue.is_headline
        and not registered_systems.is_null

)

select
    headlines.slice_value as company,
    headlines.gold_set,
    headlines.system_id,
    headlines.metric,
    headlines.k,
    headlines.unit,
    headlines.mode,
    headlines.n_asked,
    headlines.n_evaluated,
    headlines.n_clusters,
    headlines.mean,
    headlines.ci_low,
    headlines.ci_high,
    overall.mean as overall_mean,
    case
        when headlines.ci_method <> 'cluster_bootstrap' or headlines.n_clusters >= 5
            then overall.mean not between headlines.ci_low and headlines.ci_high
    end as is_apart
from headlines
left join headlines as overall
    on
        headlines.system_id = overall.system_id
        and headlines.gold_set = overall.gold_set
        and headlines.metric = overall.metric
        and headlines.k = overall.k
        and headlines.unit = overall.unit
        and headlines.mode = overall.mode
        and overall.slice_name = 'overall'
where
    headlines.slice_name = 'company'
    and headlines.n_evaluated > 0
order by
    is_apart desc nulls last,
    headlines.mean - overall.mean asc nulls last,
    headlines.summary_id asc
