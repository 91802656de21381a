with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

overall as (

    select *
    from metric_summaries
    where
        slice_name = 'overall'
        and gold_set = 'p3'
        and k = 0
        and mode = 'finrag'
        and metric in (
            'answer_accuracy', 'numeric_within_tolerance', 'citation_correctness'
        )

)

select
    overall.run_id,
    overall.system_id,
    overall.gold_set,
    registered_systems.is_null,
    max(overall.n_evaluated) filter (where overall.metric = 'answer_accuracy')
        as n_judged,
    max(overall.mean) filter (where overall.metric = 'answer_accuracy') as accuracy,
    max(overall.ci_low) filter (where overall.metric = 'answer_accuracy')
        as accuracy_ci_low,
    max(overall.ci_high) filter (where overall.metric = 'answer_accuracy')
        as accuracy_ci_high,
    max(overall.n_evaluated) filter (
        where overall.metric = 'numeric_within_tolerance'
    ) as n_figures,
    max(overall.mean) filter (
        where overall.metric = 'numeric_within_tolerance'
    ) as figures,
    max(overall.ci_low) filter (
        where overall.metric = 'numeric_within_tolerance'
    ) as figures_ci_low,
    max(overall.ci_high) filter (
        where overall.metric = 'numeric_within_tolerance'
    ) as figures_ci_high,
    max(overall.n_evaluated) filter (where overall.metric = 'citation_correctness')
        as n_cited,
    max(overall.mean) filter (where overall.metric = 'citation_correctness')
        as citations,
    max(overall.ci_low) filter (where overall.metric = 'citation_correctness')
        as citations_ci_low,
    max(overall.ci_high) filter (where overall.metric = 'citation_correctness')
        as citations_ci_high
from overall
inner join registered_systems
    on overall.system_id = registered_systems.system_id
group by
    overall.run_id,
    overall.system_id,
    overall.gold_set,
    registered_systems.is_null
