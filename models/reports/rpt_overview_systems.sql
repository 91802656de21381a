{#- A column of its own, with interval and n, for each of these: name, metric and cut-off. -#}
{%- set figures = [
    ('self_at_1_strict', 'self_at_1_strict', 1),
    ('self_at_1_tie_aware', 'self_at_1_tie_aware', 1),
    ('hit_at_1', 'hit', 1),
    ('hit_at_5', 'hit', 5),
    ('mrr_at_30', 'mrr', 30),
    ('ndcg_at_10', 'ndcg', 10),
    ('evidence_recall_at_10', 'evidence_recall', 10),
    ('accuracy', 'answer_accuracy', 0),
    ('figures', 'numeric_within_tolerance', 0),
    ('citations', 'citation_correctness', 0),
] -%}
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
        and mode = 'finrag'

),

figures as (

    select
        run_id,
        gold_set,
        system_id,
        max(n_asked) as n_asked,
        max(n_uncovered) as n_uncovered,
        max(n_failed + n_not_run) as n_failed
        {%- for name, metric, k in figures %}
        {%- set is_it = "filter (where metric = '%s' and k = %s)" % (metric, k) %},
        max(mean) {{ is_it }} as {{ name }},
        max(ci_low) {{ is_it }} as {{ name }}_ci_low,
        max(ci_high) {{ is_it }} as {{ name }}_ci_high,
        max(n_evaluated) {{ is_it }} as {{ name }}_n
        {%- endfor %}
    from overall
    group by run_id, gold_set, system_id

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
    from metric_summaries
    where
        slice_name = 'scope'
        and metric = 'evidence_recall'
        and k = 10
        and unit = 'sentence'
    group by system_id, gold_set

)

select
    figures.*,
    by_scope.evidence_recall_at_10_local,
    by_scope.evidence_recall_at_10_cross_year,
    by_scope.evidence_recall_at_10_cross_company,
    registered_systems.regime,
    registered_systems.is_null
from figures
inner join registered_systems
    on figures.system_id = registered_systems.system_id
left join by_scope
    on
        figures.system_id = by_scope.system_id
        and figures.gold_set = by_scope.gold_set
