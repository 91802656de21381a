with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

p3_category_mix as (

    select * from {{ ref('p3_category_mix') }}

),

slices as (

    select
        slice_name,
        slice_value
    from metric_summaries
    where slice_name <> 'company'
    group by slice_name, slice_value

),

-- ITEM_7A: number 7, letter A.
numbered as (

    select
        slice_name,
        slice_value,
        case when slice_name = 'section' then replace(slice_value, 'ITEM_', '') end
            as item_code
    from slices

)

select
    numbered.slice_name,
    case numbered.slice_name
        when 'overall' then 'All'
        when 'sound' then 'All sound questions'
        when 'length_bucket' then 'Length of the section'
        when 'section' then 'Section'
        when 'scope' then 'Scope of the question'
        when 'category' then 'Category of the question'
        when 'difficulty' then 'Difficulty'
        when 'answer_type' then 'Type of answer'
        when 'year' then 'Fiscal year'
        else replace(numbered.slice_name, '_', ' ')
    end as slice_title,
    numbered.slice_value,
    case
        when numbered.slice_name = 'overall' then 'all items'
        when numbered.slice_name = 'sound' then 'all sound questions'
        when numbered.slice_name = 'length_bucket'
            then numbered.slice_value || ' sentences'
        when starts_with(numbered.slice_value, 'ITEM_')
            then 'Item ' || numbered.item_code
        when p3_category_mix.title is not null
            then numbered.slice_value || ' ' || p3_category_mix.title
        else replace(numbered.slice_value, '_', ' ')
    end as slice_label,
    case
        when numbered.slice_name = 'length_bucket'
            then case numbered.slice_value
                when '<10' then 1
                when '10-19' then 2
                when '20-39' then 3
                when '40+' then 4
                else 99
            end
        when numbered.slice_name = 'scope'
            then case numbered.slice_value
                when 'local' then 1
                when 'cross_year' then 2
                when 'cross_company' then 3
                else 99
            end
        when numbered.slice_name = 'difficulty'
            then case numbered.slice_value
                when 'easy' then 1
                when 'medium' then 2
                when 'hard' then 3
                else 99
            end
        when numbered.slice_name = 'section'
            then
                coalesce(
                    10 * try_cast(rtrim(numbered.item_code, 'ABC') as double), 999
                )
                + case right(numbered.item_code, 1)
                    when 'A' then 1
                    when 'B' then 2
                    when 'C' then 3
                    else 0
                end
        else 0
    end as slice_order
from numbered
left join p3_category_mix
    on
        numbered.slice_name = 'category'
        and numbered.slice_value = p3_category_mix.category
