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

-- A passage of several pieces of evidence counts once, with the best grade.
relevant as (

    select
        item_id,
        unit,
        passage_id,
        max(grade) as grade
    from judgments
    where
        grade > 0
        and mapping = 'mapped'
        and evidence_kind = 'text'
    group by item_id, unit, passage_id

),

ideal_ranks as (

    select
        item_id,
        unit,
        grade,
        row_number() over (
            partition by item_id, unit order by grade desc, passage_id asc
        ) as rank
    from relevant

)

select
    ideal_ranks.item_id,
    ideal_ranks.unit,
    cutoffs.k,
    {{ exact_sum('ideal_ranks.grade / log2(ideal_ranks.rank + 1.0)') }} as ideal_dcg
from ideal_ranks
inner join cutoffs
    on ideal_ranks.rank <= cutoffs.k
group by ideal_ranks.item_id, ideal_ranks.unit, cutoffs.k
