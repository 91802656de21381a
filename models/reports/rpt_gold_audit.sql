with

gold_audit as (

    select * from {{ ref('gold_audit') }}

),

p3_category_mix as (

    select * from {{ ref('p3_category_mix') }}

),

audit_measures as (

    select * from {{ ref('audit_measures') }}

)

select
    gold_audit.audit_id,
    gold_audit.gold_set,
    coalesce(audit_measures.measure_pos, 99) as measure_pos,
    gold_audit.measure,
    coalesce(audit_measures.title, replace(gold_audit.measure, '_', ' ')) as title,
    audit_measures.meaning,
    coalesce(audit_measures.wanted, 'neither') as wanted,
    gold_audit.slice_name,
    gold_audit.slice_value,
    case
        when gold_audit.slice_name = 'category'
            then coalesce(
                gold_audit.slice_value || ', ' || p3_category_mix.title,
                gold_audit.slice_value
            )
        when gold_audit.slice_name = 'distance'
            then 'distance ' || gold_audit.slice_value
        when gold_audit.slice_name = 'overall' then upper(gold_audit.gold_set)
        else gold_audit.slice_value
    end as label,
    case when gold_audit.share is null then 'not_applicable' else 'measured' end
        as status,
    case
        when gold_audit.share is null then 'No item of this slice is asked for it.'
    end as why,
    gold_audit.share as value,
    gold_audit.ci_low,
    gold_audit.ci_high,
    gold_audit.n,
    gold_audit.n_true
from gold_audit
left join audit_measures
    on gold_audit.measure = audit_measures.measure
left join p3_category_mix
    on
        gold_audit.slice_name = 'category'
        and gold_audit.slice_value = p3_category_mix.category
