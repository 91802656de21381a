{#- What an item has to find: evidence by kind of unit, and all of it as `any`. -#}
with

judgments as (

    select * from {{ ref('judgments') }}

),

evidence as (

    select
        item_id,
        evidence_kind,
        unit,
        evidence_id
    from judgments
    where
        grade > 0
        and mapping = 'mapped'

)

select
    item_id,
    evidence_kind,
    unit,
    count(distinct evidence_id) as n_evidence
from evidence
group by item_id, evidence_kind, unit

union all

select
    item_id,
    evidence_kind,
    'any' as unit,
    count(distinct unit || ' ' || evidence_id) as n_evidence
from evidence
where
    evidence_kind = 'text'
    and unit <> 'sentence'
group by item_id, evidence_kind
