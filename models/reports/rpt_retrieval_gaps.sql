{#-
    Filtered against open in every slice that the page offers; real systems against random
    order overall and by the length of the section, where chance is worth most.
-#}
with

comparisons as (

    select * from {{ ref('comparisons') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

int_slices_named as (

    select * from {{ ref('int_slices_named') }}

),

chosen as (

    select *
    from comparisons
    where
        metric in ('hit', 'mrr', 'ndcg', 'evidence_recall')
        and (
            (
                purpose = 'regime_gap'
                and slice_name in (
                    'overall', 'sound', 'length_bucket', 'section', 'scope',
                    'category', 'difficulty'
                )
            )
            or (
                purpose = 'null_lift'
                and slice_name in ('overall', 'sound', 'length_bucket')
            )
        )

)

select
    chosen.comparison_id as gap_id,
    chosen.run_id,
    chosen.purpose,
    chosen.pair_id,
    chosen.system_a,
    chosen.system_b,
    chosen.gold_set,
    chosen.slice_name,
    int_slices_named.slice_title,
    chosen.slice_value,
    int_slices_named.slice_label,
    cast(int_slices_named.slice_order as integer) as slice_order,
    chosen.metric,
    chosen.k,
    chosen.unit,
    chosen.mode,
    metric_catalogue.label as metric_label,
    chosen.mean_a as value_a,
    chosen.mean_b as value_b,
    chosen.mean_difference as difference,
    chosen.ci_low,
    chosen.ci_high,
    chosen.n_items as n,
    chosen.n_clusters,
    chosen.p_holm,
    chosen.verdict,
    chosen.verdict_reason,
    case when chosen.ci_low is null then 'too_few' else 'measured' end as status,
    case
        when chosen.ci_low is null
            then 'All items are of one filing or company: no interval can be told.'
    end as why
from chosen
inner join metric_catalogue
    on
        chosen.metric = metric_catalogue.metric
        and chosen.k = metric_catalogue.k
        and chosen.unit = metric_catalogue.unit
        and chosen.mode = metric_catalogue.mode
inner join int_slices_named
    on
        chosen.slice_name = int_slices_named.slice_name
        and chosen.slice_value = int_slices_named.slice_value
