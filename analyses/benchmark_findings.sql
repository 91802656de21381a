-- What is wrong with the gold of public benchmarks?
-- Read n_found against n_questions; a question may be found twice. May be empty:
-- benchmarks_paths names no set.
with

set_audit as (

    select * from {{ ref('set_audit') }}

),

items as (

    select * from {{ ref('items') }}

),

sizes as (

    select
        gold_set,
        count(*) as n_questions
    from items
    group by gold_set

)

select
    set_audit.gold_set,
    set_audit.reason,
    count(*) as n_found,
    sizes.n_questions,
    min(set_audit.item_id) as first_item_id,
    min_by(set_audit.detail, set_audit.item_id) as first_detail
from set_audit
inner join sizes
    on set_audit.gold_set = sizes.gold_set
group by set_audit.gold_set, set_audit.reason, sizes.n_questions
order by set_audit.gold_set asc, n_found desc, set_audit.reason asc
