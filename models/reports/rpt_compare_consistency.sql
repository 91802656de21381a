{#- Never empty: what was not measured says so, and why. -#}
with

runs as (

    select * from {{ ref('runs') }}

),

consistencies as (

    select * from {{ ref('consistencies') }}

),

kinds as (

    select
        'question' as changed,
        'The question worded otherwise' as changed_label,
        'No question has a variant: set the variable paraphraser.' as why

    union all

    select
        'prompt' as changed,
        'The prompt changed' as changed_label,
        'No two systems differ in their prompt alone.' as why

)

select
    coalesce(consistencies.consistency_id, kinds.changed) as consistency_id,
    runs.run_id,
    kinds.changed,
    kinds.changed_label,
    consistencies.system_a,
    consistencies.system_b,
    consistencies.gold_set,
    consistencies.agree_share as value,
    consistencies.ci_low,
    consistencies.ci_high,
    consistencies.n,
    consistencies.n_agree,
    case when consistencies.consistency_id is null then 'unmeasured' else 'measured' end
        as status,
    case when consistencies.consistency_id is null then kinds.why end as why
from kinds
cross join runs
left join consistencies
    on kinds.changed = consistencies.changed
