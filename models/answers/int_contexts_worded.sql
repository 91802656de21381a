{#-
    A tag such as [Norvale | FY2022 | ITEM_7 | 0000000003_10-K_2022_section_7_12]. Of a
    public set, whose kinds of passages are ranked each for itself, the first of every kind
    come before the second, and the tag is [title | passage]. So do rows and sentences where
    rows of the filings are ranked; a row stands there for its sentence, which states neither
    its scale nor its columns, and for its cells, which stand in it.
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

table_cells as (

    select * from {{ ref('table_cells') }}

),

passages as (

    select * from {{ ref('passages') }}

),

table_rows as (

    select
        passages.passage_id as row_id,
        min(table_cells.sentence_id) as sentence_id
    from passages
    inner join table_cells
        on passages.passage_id = table_cells.row_id
    where passages.unit = 'row' and table_cells.sentence_id is not null
    group by passages.passage_id

),

-- By its own key, and by that of its sentence.
rows_found as (

    select
        row_id as found_id,
        *
    from table_rows

    union all

    select
        sentence_id as found_id,
        *
    from table_rows

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
    where items.corpus_id <> 'filings' or rankings.unit <> 'cell'

),

asked_of_rows as (

    select
        system_id,
        item_id
    from ranked
    where corpus_id = 'filings' and unit = 'row'
    group by system_id, item_id

),

-- A sentence that is a row is read as the row, and a row once.
read as (

    select
        ranked.* replace (
            case when rows_found.row_id is null then ranked.unit else 'row' end as unit,
            coalesce(rows_found.row_id, ranked.passage_id) as passage_id
        ),
        coalesce(rows_found.sentence_id, ranked.passage_id) as sentence_id
    from ranked
    left join asked_of_rows
        on
            ranked.system_id = asked_of_rows.system_id
            and ranked.item_id = asked_of_rows.item_id
    left join rows_found
        on
            asked_of_rows.item_id is not null
            and ranked.passage_id = rows_found.found_id
    qualify
        row_number() over (
            partition by
                ranked.system_id,
                ranked.item_id,
                coalesce(rows_found.row_id, ranked.passage_id)
            order by ranked.rank, ranked.unit, ranked.passage_id
        ) = 1

),

placed as (

    select
        *,
        row_number() over (
            partition by system_id, item_id
            order by rank, unit, passage_id
        ) as place
    from read
    -- As many rows of the filings as sentences.
    qualify
        row_number() over (
            partition by
                system_id,
                item_id,
                corpus_id = 'filings' and unit = 'row'
            order by rank, unit, passage_id
        ) <= context_sentences

),

-- A question on tables takes its rows with their figures, from left to right.
rows_worded as (

    select
        cells.parent_id as row_id,
        list(
            struct_pack(
                cell_id := cells.passage_id,
                text := cells.passage_text,
                period_start := table_cells.period_start,
                period_end := table_cells.period_end
            )
            order by cells.column_pos
        ) as cells
    from passages as cells
    inner join table_cells
        on cells.passage_id = table_cells.cell_id
    where
        cells.unit = 'cell'
        and cells.parent_id in (select placed.passage_id from placed)
    group by cells.parent_id

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
        coalesce(passages.passage_text, sentences.sentence_text) as passage_text,
        rows_worded.cells,
        case
            when passages.passage_id is null then sentences.token_count
            else {{ regex_count('passages.passage_text', 'token') }}
        end as token_count,
        '[' || concat_ws(
            ' | ',
            companies.display_name,
            'FY' || sentences.report_year,
            sentences.section_name,
            placed.passage_id
        ) || ']' as tag
    from placed
    inner join sentences
        on placed.sentence_id = sentences.sentence_id
    inner join companies
        on sentences.cik_int = companies.cik_int
    left join passages
        on placed.unit = 'row' and placed.passage_id = passages.passage_id
    left join rows_worded
        on placed.passage_id = rows_worded.row_id
    where placed.corpus_id = 'filings'

    union all by name

    -- A set does not say of which company, year or section a passage is.
    select
        placed.*,
        passages.document_id as section_id,
        passages.position as sentence_pos,
        passages.passage_text,
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
    passage_text as sentence_text,
    cells
from filled
where n_tokens_so_far <= context_tokens
