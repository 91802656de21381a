with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

page_figures as (

    select * from {{ ref('page_figures') }}

),

listed as (

    select *
    from page_figures
    where shown_in = 'rpt_overview_systems'

),

overall as (

    select
        metric_summaries.*,
        listed.figure_id as figure
    from metric_summaries
    left join listed
        on
            metric_summaries.metric = listed.metric
            and metric_summaries.k = listed.k
            and metric_summaries.unit = listed.unit
            and metric_summaries.mode = listed.mode
    where
        metric_summaries.slice_name = 'overall'
        and not {{ gold_set_is('public', 'metric_summaries.gold_set') }}
        -- Measures of the machinery count results, not items.
        and metric_summaries.unit in ('sentence', 'answer')
        and metric_summaries.mode = 'finrag'

),

pivoted as (

    select
        run_id,
        gold_set,
        system_id,
        max(n_asked) as n_asked,
        max(n_uncovered) as n_uncovered,
        max(n_failed) as n_failed,
        max(n_not_run) as n_not_run,
        max(mean) filter (where figure = 'self_strict') as self_at_1_strict,
        max(mean) filter (where figure = 'self_tie_aware')
            as self_at_1_tie_aware,
        max(mean) filter (where figure = 'hit_at_1') as hit_at_1,
        max(mean) filter (where figure = 'hit_at_5') as hit_at_5,
        max(ci_low) filter (where figure = 'hit_at_5') as hit_at_5_ci_low,
        max(ci_high) filter (where figure = 'hit_at_5') as hit_at_5_ci_high,
        max(n_evaluated) filter (where figure = 'hit_at_5') as hit_at_5_n,
        max(mean) filter (where figure = 'mrr_at_30') as mrr_at_30,
        max(ci_low) filter (where figure = 'mrr_at_30') as mrr_at_30_ci_low,
        max(ci_high) filter (where figure = 'mrr_at_30') as mrr_at_30_ci_high,
        max(mean) filter (where figure = 'ndcg_at_10') as ndcg_at_10,
        max(mean) filter (where figure = 'evidence_recall_at_10')
            as evidence_recall_at_10,
        max(ci_low) filter (where figure = 'evidence_recall_at_10')
            as evidence_recall_at_10_ci_low,
        max(ci_high) filter (where figure = 'evidence_recall_at_10')
            as evidence_recall_at_10_ci_high,
        max(mean) filter (where figure = 'accuracy') as accuracy,
        max(ci_low) filter (where figure = 'accuracy') as accuracy_ci_low,
        max(ci_high) filter (where figure = 'accuracy') as accuracy_ci_high,
        max(n_evaluated) filter (where figure = 'accuracy') as accuracy_n,
        max(mean) filter (where figure = 'figures') as figures,
        max(ci_low) filter (where figure = 'figures') as figures_ci_low,
        max(ci_high) filter (where figure = 'figures') as figures_ci_high,
        max(n_evaluated) filter (where figure = 'figures') as figures_n,
        max(mean) filter (where figure = 'citations') as citations,
        max(ci_low) filter (where figure = 'citations') as citations_ci_low,
        max(ci_high) filter (where figure = 'citations') as citations_ci_high,
        max(n_evaluated) filter (where figure = 'citations') as citations_n
    from overall
    group by run_id, gold_set, system_id

),

scoped as (

    select
        metric_summaries.system_id,
        metric_summaries.gold_set,
        metric_summaries.slice_value,
        metric_summaries.mean
    from metric_summaries
    inner join listed
        on
            listed.figure_id = 'evidence_recall_at_10'
            and metric_summaries.metric = listed.metric
            and metric_summaries.k = listed.k
            and metric_summaries.unit = listed.unit
            and metric_summaries.mode = listed.mode
    where metric_summaries.slice_name = 'scope'

),

by_scope as (

    select
        system_id,
        gold_set,
        max(mean) filter (where slice_value = 'local')
            as evidence_recall_at_10_local,
        max(mean) filter (where slice_value = 'cross_year')
            as evidence_recall_at_10_cross_year,
        max(mean) filter (where slice_value = 'cross_company')
            as evidence_recall_at_10_cross_company
    from scoped
    group by system_id, gold_set

)

select
    pivoted.*,
    by_scope.evidence_recall_at_10_local,
    by_scope.evidence_recall_at_10_cross_year,
    by_scope.evidence_recall_at_10_cross_company,
    registered_systems.regime,
    registered_systems.is_null
from pivoted
inner join registered_systems
    on pivoted.system_id = registered_systems.system_id
left join by_scope
    on
        pivoted.system_id = by_scope.system_id
        and pivoted.gold_set = by_scope.gold_set
