{#-
    A tag such as [Norvale | FY2022 | ITEM_7 | 0000000003_10-K_2022_section_7_12]. Of a
    public set, whose kinds of passages are ranked each for itself, the first of every kind
    come before the second, and the tag is [title | passage].
-#}
with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

items as (

    select *
    from {{ ref('items') }}
    where item_kind = 'question'

),

rankings as (

    select * from {{ ref('rankings') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

companies as (

    select * from {{ ref('companies') }}

),

passages as (

    select *
    from {{ ref('passages') }}
    where corpus_id <> 'filings'

),

ranked as (

    select
        rankings.system_id,
        rankings.item_id,
        rankings.unit,
        rankings.rank,
        rankings.passage_id,
        rankings.score,
        registered_systems.context_sentences,
        registered_systems.context_tokens,
        registered_systems.context_order,
        items.corpus_id
    from rankings
    inner join items
        on rankings.item_id = items.item_id
    inner join registered_systems
        on
            rankings.system_id = registered_systems.system_id
            and registered_systems.answerer <> 'none'
            and rankings.rank <= registered_systems.context_sentences
            and (
                items.corpus_id = 'filings'
                or registered_systems.answer_sets = 'all'
            )

),

placed as (

    select
        *,
        row_number() over (
            partition by system_id, item_id
            order by rank, unit
        ) as place
    from ranked
    qualify place <= context_sentences

),

worded as (

    select
        placed.*,
        companies.display_name as company,
        sentences.cik_int,
        sentences.report_year,
        sentences.section_name,
        sentences.section_id,
        -- ITEM_10 stands behind ITEM_2.
        try_cast(rtrim(replace(sentences.section_name, 'ITEM_', ''), 'ABC') as double)
            as item_number,
        sentences.sentence_pos,
        sentences.sentence_text,
        sentences.token_count,
        '[' || concat_ws(
            ' | ',
            companies.display_name,
            'FY' || sentences.report_year,
            sentences.section_name,
            placed.passage_id
        ) || ']' as tag
    from placed
    inner join sentences
        on placed.passage_id = sentences.sentence_id
    inner join companies
        on sentences.cik_int = companies.cik_int
    where placed.corpus_id = 'filings'

    union all

    -- A set does not say of which company, year or section a passage is.
    select
        placed.*,
        cast(null as varchar) as company,
        cast(null as bigint) as cik_int,
        cast(null as integer) as report_year,
        cast(null as varchar) as section_name,
        passages.document_id as section_id,
        cast(null as integer) as item_number,
        passages.position as sentence_pos,
        passages.passage_text as sentence_text,
        {{ regex_count('passages.passage_text', 'token') }} as token_count,
        '[' || concat_ws(' | ', passages.title, placed.passage_id) || ']' as tag
    from placed
    inner join passages
        on placed.passage_id = passages.passage_id
    where placed.corpus_id <> 'filings'

),

sized as (

    select
        *,
        token_count + {{ regex_count('tag', 'token') }} as n_tokens
    from worded

),

-- A sentence above the whole budget is left out; the rest go in while there is room.
filled as (

    select
        *,
        sum(n_tokens) over (
            partition by system_id, item_id
            order by place
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
            case when context_order = 'reversed' then -place end asc,
            case when context_order = 'document' then cik_int end asc,
            case when context_order = 'document' then report_year end asc,
            case when context_order = 'document' then item_number end asc,
            case when context_order = 'document' then section_id end asc,
            case when context_order = 'document' then sentence_pos end asc,
            place asc
    ) - 1 as integer) as context_pos,
    unit,
    rank,
    score,
    passage_id as sentence_id,
    tag,
    n_tokens,
    company,
    cik_int,
    report_year,
    section_name,
    sentence_text
from filled
where n_tokens_so_far <= context_tokens
