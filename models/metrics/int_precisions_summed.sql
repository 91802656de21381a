with

int_relevant_ranks as (

    select * from {{ ref('int_relevant_ranks') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

cutoffs as (

    select distinct k
    from metric_catalogue
    where metric in ('map', 'context_precision')

),

precisions as (

    select
        mode,
        system_id,
        item_id,
        unit,
        tie_policy,
        rank,
        cast(row_number() over (
            partition by mode, system_id, item_id, unit, tie_policy
            order by rank
        ) as double) / rank as precision_at_rank
    from int_relevant_ranks

)

-- A cut-off of 0 cuts nothing off.
select
    precisions.mode,
    precisions.system_id,
    precisions.item_id,
    precisions.unit,
    precisions.tie_policy,
    cutoffs.k,
    {{ exact_sum('precisions.precision_at_rank') }} as precision_sum
from precisions
inner join cutoffs
    on
        cutoffs.k = 0
        or precisions.rank <= cutoffs.k
group by
    precisions.mode,
    precisions.system_id,
    precisions.item_id,
    precisions.unit,
    precisions.tie_policy,
    cutoffs.k
