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
        and gold_set in ('p1', 'p2', 'p3')
        -- Measures of the machinery count results, not items.
        and unit in ('sentence', 'answer')

),

by_scope as (

    select
        system_id,
        gold_set,
        max(mean) filter (where slice_value = 'local') as evidence_local,
        max(mean) filter (where slice_value = 'cross_year') as evidence_cross_year,
        max(mean) filter (where slice_value = 'cross_company')
            as evidence_cross_company
    from metric_summaries
    where
        slice_name = 'scope'
        and metric = 'evidence_recall'
        and k = 10
        and unit = 'sentence'
    group by system_id, gold_set

)

select
    overall.run_id,
    overall.gold_set,
    overall.system_id,
    registered_systems.regime,
    registered_systems.is_null,
    max(overall.n_asked) as n_asked,
    max(overall.n_evaluated) filter (where overall.metric = 'hit' and overall.k = 5)
        as n_evaluated,
    max(overall.n_uncovered) as n_uncovered,
    max(overall.n_failed + overall.n_not_run) as n_failed,
    max(overall.mean) filter (where overall.metric = 'self_at_1_strict')
        as self_at_1_strict,
    max(overall.mean) filter (where overall.metric = 'self_at_1_tie_aware')
        as self_at_1_tie_aware,
    max(overall.mean) filter (where overall.metric = 'hit' and overall.k = 1)
        as hit_at_1,
    max(overall.mean) filter (where overall.metric = 'hit' and overall.k = 5)
        as hit_at_5,
    max(overall.ci_low) filter (where overall.metric = 'hit' and overall.k = 5)
        as hit_at_5_ci_low,
    max(overall.ci_high) filter (where overall.metric = 'hit' and overall.k = 5)
        as hit_at_5_ci_high,
    max(overall.mean) filter (where overall.metric = 'mrr' and overall.k = 30)
        as mrr_at_30,
    max(overall.ci_low) filter (where overall.metric = 'mrr' and overall.k = 30)
        as mrr_at_30_ci_low,
    max(overall.ci_high) filter (where overall.metric = 'mrr' and overall.k = 30)
        as mrr_at_30_ci_high,
    max(overall.mean) filter (where overall.metric = 'ndcg' and overall.k = 10)
        as ndcg_at_10,
    max(overall.mean) filter (
        where overall.metric = 'evidence_recall' and overall.k = 10
    ) as evidence_recall_at_10,
    max(overall.ci_low) filter (
        where overall.metric = 'evidence_recall' and overall.k = 10
    ) as evidence_recall_at_10_ci_low,
    max(overall.ci_high) filter (
        where overall.metric = 'evidence_recall' and overall.k = 10
    ) as evidence_recall_at_10_ci_high,
    by_scope.evidence_local as evidence_recall_at_10_local,
    by_scope.evidence_cross_year as evidence_recall_at_10_cross_year,
    by_scope.evidence_cross_company as evidence_recall_at_10_cross_company
from overall
inner join registered_systems
    on overall.system_id = registered_systems.system_id
left join by_scope
    on
        overall.system_id = by_scope.system_id
        and overall.gold_set = by_scope.gold_set
group by
    overall.run_id,
    overall.gold_set,
    overall.system_id,
    registered_systems.regime,
    registered_systems.is_null,
    by_scope.evidence_local,
    by_scope.evidence_cross_year,
    by_scope.evidence_cross_company
