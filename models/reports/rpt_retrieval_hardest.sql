with

hardest_cases as (

    select * from {{ ref('hardest_cases') }}

),

items as (

    select *
    from {{ ref('items') }}
    where gold_set = 'p3'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

)

select
    concat_ws(
        '|',
        hardest_cases.system_id,
        hardest_cases.gold_set,
        cast(hardest_cases.hardness_rank as varchar)
    ) as case_id,
    hardest_cases.run_id,
    hardest_cases.system_id,
    registered_systems.regime,
    hardest_cases.gold_set,
    hardest_cases.hardness_rank,
    case when items.item_id is null then 'anchor' else 'question' end as item_kind,
    -- Only a question has a page.
    case
        when items.item_id is not null
            then {{ question_page_id(
                'hardest_cases.gold_set', 'hardest_cases.item_id'
            ) }}
    end as page_id,
    hardest_cases.item_text,
    hardest_cases.company_name,
    hardest_cases.report_year,
    hardest_cases.section_name,
    hardest_cases.length_bucket,
    hardest_cases.scope,
    hardest_cases.first_gold_rank,
    coalesce(
        'rank ' || cast(hardest_cases.first_gold_rank as varchar), 'not found'
    ) as first_gold_label,
    hardest_cases.gold_text,
    hardest_cases.top_text,
    hardest_cases.top_score
from hardest_cases
inner join registered_systems
    on hardest_cases.system_id = registered_systems.system_id
left join items
    on hardest_cases.item_id = items.item_id
