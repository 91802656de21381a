-- Who beats whom on the headline metrics? Each pair from both sides; the verdict is
-- about the system named first.
-- Read verdict, then the interval of mean_difference. undetermined says that there were
-- too few questions to tell, equivalent that the difference is within the margin.
with

model_matrix as (

    select * from {{ ref('model_matrix') }}

),

both_sides as (

    select
        system_a as system_id,
        system_b as rival_id,
        gold_set,
        metric,
        k,
        unit,
        mode,
        n_items,
        mean_a as mean,
        mean_b as rival_mean,
        mean_difference,
        ci_low,
        ci_high,
        p_holm,
        verdict
    from model_matrix

    union all

    select
        system_b as system_id,
        system_a as rival_id,
        gold_set,
        metric,
        k,
        unit,
        mode,
        n_items,
        mean_b as mean,
        mean_a as rival_mean,
        -mean_difference as mean_difference,
        -ci_high as ci_low,
        -ci_low as ci_high,
        p_holm,
        case verdict
            when 'better' then 'worse'
            when 'worse' then 'better'
            else verdict
        end as verdict
    from model_matrix

)

select *
from both_sides
order by gold_set, metric, k, system_id, rival_id
