with

sentences as (

    select * from {{ ref('sentences') }}

),

-- Each atlas looks at some sections only; what a filing discloses is looked for
-- everywhere, tables and headings included, because the absence of a topic is claimed
-- from it.
places as (

    select
        sentence_text,
        section_name,
        (not is_toc and not is_heading and not is_table_text) as is_prose,
        is_table_text
    from sentences

)

-- By the exact text: how a company writes a sentence says nothing of how another does.
select
    md5(sentence_text) as text_hash,
    sentence_text,
    -- Rows of statements witness what sentences say.
    bool_or(is_prose or is_table_text) as in_kpi,
    bool_or(is_prose and section_name = 'ITEM_1A') as in_risk,
    bool_or(is_prose and section_name in ('ITEM_6', 'ITEM_7', 'ITEM_8'))
        as in_definition,
    bool_or(is_prose and section_name in ('ITEM_1A', 'ITEM_7')) as in_verification,
    bool_or(is_prose) as in_enumeration,
    bool_or(is_prose) as in_period,
    true as in_disclosure,
    bool_or(is_prose) as in_told
from places
group by sentence_text
