{#- Every cell of the square: model_matrix has each pair once, this has both ways. -#}
with

model_matrix as (

    select * from {{ ref('model_matrix') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

both_ways as (

    select
        run_id,
        system_a,
        system_b,
        gold_set,
        slice_name,
        metric,
        k,
        unit,
        mode,
        mean_a,
        mean_b,
        mean_difference,
        ci_low,
        ci_high,
        n_items,
        n_clusters,
        p_holm,
        verdict
    from model_matrix

    union all

    select
        run_id,
        system_b as system_a,
        system_a as system_b,
        gold_set,
        slice_name,
        metric,
        k,
        unit,
        mode,
        mean_b as mean_a,
        mean_a as mean_b,
        0 - mean_difference as mean_difference,
        0 - ci_high as ci_low,
        0 - ci_low as ci_high,
        n_items,
        n_clusters,
        p_holm,
        case verdict
            when 'better' then 'worse'
            when 'worse' then 'better'
            else verdict
        end as verdict
    from model_matrix

)

select
    concat_ws(
        '|',
        both_ways.system_a,
        both_ways.system_b,
        both_ways.gold_set,
        both_ways.metric,
        cast(both_ways.k as varchar),
        both_ways.unit,
        both_ways.mode
    ) as row_id,
    both_ways.run_id,
    both_ways.system_a,
    both_ways.system_b,
    both_ways.gold_set,
    both_ways.slice_name,
    both_ways.metric,
    both_ways.k,
    both_ways.unit,
    both_ways.mode,
    metric_catalogue.label as metric_label,
    both_ways.mean_a,
    both_ways.mean_b,
    both_ways.mean_difference as difference,
    both_ways.ci_low,
    both_ways.ci_high,
    both_ways.n_items as n,
    both_ways.n_clusters,
    both_ways.p_holm,
    both_ways.verdict,
    case when both_ways.ci_low is null then 'too_few' else 'measured' end as status,
    case
        when both_ways.ci_low is null
            then 'All items are of one filing or company: no interval can be told.'
    end as why
from both_ways
inner join metric_catalogue
    on
        both_ways.metric = metric_catalogue.metric
        and both_ways.k = metric_catalogue.k
        and both_ways.unit = metric_catalogue.unit
        and both_ways.mode = metric_catalogue.mode
