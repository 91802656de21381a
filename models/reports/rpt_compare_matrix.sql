{#- Every cell of the square: model_matrix has each pair once, this has both ways. -#}
with

model_matrix as (

    select * from {{ ref('model_matrix') }}

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
        system_a,
        system_b,
        gold_set,
        metric,
        cast(k as varchar),
        unit,
        mode
    ) as row_id,
    run_id,
    system_a,
    system_b,
    gold_set,
    slice_name,
    metric,
    k,
    unit,
    mode,
    {{ metric_label('metric', 'k') }} as metric_label,
    mean_a,
    mean_b,
    mean_difference as difference,
    ci_low,
    ci_high,
    n_items as n,
    n_clusters,
    p_holm,
    verdict,
    case when ci_low is null then 'too_few' else 'measured' end as status,
    case
        when ci_low is null
            then 'All items are of one filing or company: no interval can be told.'
    end as why
from both_ways
