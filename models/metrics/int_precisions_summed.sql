with

int_relevant_ranks as (

    select * from {{ ref('int_relevant_ranks') }}

),

precisions as (

    select
        system_id,
        item_id,
        unit,
        tie_policy,
        cast(row_number() over (
            partition by system_id, item_id, unit, tie_policy order by rank
        ) as double) / rank as precision_at_rank
    from int_relevant_ranks

)

select
    system_id,
    item_id,
    unit,
    tie_policy,
    {{ exact_sum('precision_at_rank') }} as precision_sum
from precisions
group by system_id, item_id, unit, tie_policy
