with

line_descriptions as (

    select * from {{ ref('line_descriptions') }}

),

revenue_verdicts as (

    select *
    from {{ ref('revenue_verdicts') }}
    where kind = 'text'

),

blocks as (

    select * from {{ ref('blocks') }}

),

sections as (

    select * from {{ ref('sections') }}

),

cited as (

    select
        system_id,
        revenue_line_id,
        unnest(block_ids) as block_id,
        generate_subscripts(block_ids, 1) as block_rank
    from line_descriptions

),

places as (

    select
        cited.system_id,
        cited.revenue_line_id,
        string_agg(
            concat_ws(
                ': ',
                nullif(
                    concat_ws(
                        ' > ',
                        sections.section_name,
                        nullif(array_to_string(blocks.heading_path, ' > '), '')
                    ),
                    ''
                ),
                blocks.block_text
            ),
            chr(10) order by cited.block_rank
        ) as source_text
    from cited
    inner join blocks
        on cited.block_id = blocks.block_id
    left join sections
        on blocks.section_id = sections.section_id
    group by cited.system_id, cited.revenue_line_id

)

select
    line_descriptions.system_id,
    line_descriptions.revenue_line_id,
    line_descriptions.filing_id,
    line_descriptions.status,
    revenue_verdicts.description as status_text,
    line_descriptions.kind,
    line_descriptions.tier,
    line_descriptions.score,
    line_descriptions.gate_passed,
    line_descriptions.validated,
    line_descriptions.text as description_text,
    nullif(array_to_string(line_descriptions.products, ', '), '') as products_text,
    nullif(array_to_string(line_descriptions.sentence_ids, ', '), '') as sentence_ids,
    nullif(array_to_string(line_descriptions.block_ids, ', '), '') as block_ids,
    places.source_text,
    line_descriptions.error as error_text
from line_descriptions
left join revenue_verdicts
    on line_descriptions.status = revenue_verdicts.verdict
left join places
    on
        line_descriptions.system_id = places.system_id
        and line_descriptions.revenue_line_id = places.revenue_line_id
