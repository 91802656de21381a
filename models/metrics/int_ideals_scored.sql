with

int_relevance_graded as (

    select * from {{ ref('int_relevance_graded') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

cutoffs as (

    select distinct k
    from metric_catalogue
    where metric = 'ndcg'

),

-- The ideal runs over evidence: each piece once, with its best grade.
relevant as (

    select
        mode,
        item_id,
        unit,
        evidence_id,
        max(grade) as grade
    from int_relevance_graded
    where
        grade > 0
        and evidence_kind = 'text'
    group by mode, item_id, unit, evidence_id

),

ideal_ranks as (

    select
        mode,
        item_id,
        unit,
        grade,
        row_number() over (
            partition by mode, item_id, unit order by grade desc, evidence_id asc
        ) as rank
    from relevant

)

select
    ideal_ranks.mode,
    ideal_ranks.item_id,
    ideal_ranks.unit,
    cutoffs.k,
    {{ exact_sum('ideal_ranks.grade / log2(ideal_ranks.rank + 1.0)') }} as ideal_dcg
from ideal_ranks
inner join cutoffs
    on ideal_ranks.rank <= cutoffs.k
group by ideal_ranks.mode, ideal_ranks.item_id, ideal_ranks.unit, cutoffs.k
