with

judgments as (

    select * from {{ ref('judgments') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

cutoffs as (

    select distinct k
    from metric_catalogue
    where metric = 'ndcg'

),

ideal_ranks as (

    select
        item_id,
        grade,
        row_number() over (
            partition by item_id order by grade desc, passage_id asc
        ) as rank
    from judgments
    where
        grade > 0
        and unit = 'sentence'

)

select
    ideal_ranks.item_id,
    cutoffs.k,
    {{ exact_sum('ideal_ranks.grade / log2(ideal_ranks.rank + 1.0)') }} as ideal_dcg
from ideal_ranks
inner join cutoffs
    on ideal_ranks.rank <= cutoffs.k
group by ideal_ranks.item_id, cutoffs.k
