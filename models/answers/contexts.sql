{#- A tag such as [Norvale | FY2022 | ITEM_7 | 0000000003_10-K_2022_section_7_12]. -#}
with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

items as (

    select *
    from {{ ref('items') }}
    where
        item_kind = 'question'
        and corpus_id = 'filings'

),

rankings as (

    select
        *,
        passage_id as sentence_id
    from {{ ref('rankings') }}
    where unit = 'sentence'

),

sentences as (

    select * from {{ ref('sentences') }}

),

companies as (

    select * from {{ ref('companies') }}

),

ranked as (

    select
        rankings.system_id,
        rankings.item_id,
        rankings.rank,
        rankings.sentence_id,
        companies.display_name,
        sentences.cik_int,
        sentences.report_year,
        sentences.section_id,
        -- ITEM_10 stands behind ITEM_2.
        {{ as_number("rtrim(replace(sentences.section_name, 'ITEM_', ''), 'ABC')") }}
            as item_number,
        sentences.sentence_pos,
        sentences.token_count,
        registered_systems.context_tokens,
        registered_systems.context_order,
        '[' || concat_ws(
            ' | ',
            companies.display_name,
            'FY' || sentences.report_year,
            sentences.section_name,
            rankings.sentence_id
        ) || ']' as tag
    from rankings
    inner join items
        on rankings.item_id = items.item_id
    inner join registered_systems
        on
            rankings.system_id = registered_systems.system_id
            and registered_systems.answerer <> 'none'
            and rankings.rank <= registered_systems.context_sentences
    inner join sentences
        on rankings.sentence_id = sentences.sentence_id
    inner join companies
        on sentences.cik_int = companies.cik_int

),

sized as (

    select
        *,
        token_count + {{ regex_count('tag', 'token') }} as n_tokens
    from ranked

),

-- A sentence above the whole budget is left out; the rest go in while there is room.
filled as (

    select
        *,
        sum(n_tokens) over (
            partition by system_id, item_id
            order by rank
            rows between unbounded preceding and current row
        ) as n_tokens_so_far
    from sized
    where n_tokens <= context_tokens

)

select
    system_id,
    item_id,
    cast(row_number() over (
        partition by system_id, item_id
        order by
            case when context_order = 'reversed' then -rank end asc,
            case when context_order = 'document' then cik_int end asc,
            case when context_order = 'document' then report_year end asc,
            case when context_order = 'document' then item_number end asc,
            case when context_order = 'document' then section_id end asc,
            case when context_order = 'document' then sentence_pos end asc,
            rank asc
    ) - 1 as integer) as context_pos,
    rank,
    sentence_id,
    tag,
    n_tokens
from filled
where n_tokens_so_far <= context_tokens
