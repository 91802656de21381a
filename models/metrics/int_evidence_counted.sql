{#-
    What an item has to find: evidence by kind of unit, and all of it as `any`. Qrels that name
    nothing relevant for an item leave it nothing to find, and trec_eval gives it 0.
-#}
with

int_relevance_graded as (

    select * from {{ ref('int_relevance_graded') }}

),

evidence as (

    select
        mode,
        item_id,
        evidence_kind,
        unit,
        case when grade > 0 then evidence_id end as evidence_id
    from int_relevance_graded
    where
        grade > 0
        or mode = 'official'

)

select
    mode,
    item_id,
    evidence_kind,
    unit,
    count(distinct evidence_id) as n_evidence
from evidence
group by mode, item_id, evidence_kind, unit

union all

select
    mode,
    item_id,
    evidence_kind,
    'any' as unit,
    count(distinct unit || ' ' || evidence_id) as n_evidence
from evidence
where evidence_kind = 'text'
group by mode, item_id, evidence_kind
