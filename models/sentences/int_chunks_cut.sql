{#- Chunks with their sentences, without the header that names the company. -#}
{%- set size = var('chunk_tokens') | int -%}
{%- set overlap = var('chunk_overlap') | int -%}
{%- if size < 1 or overlap < 0 -%}
    {{ exceptions.raise_compiler_error(
        "chunk_tokens is " ~ size ~ " and chunk_overlap is " ~ overlap
        ~ ": a chunk holds at least one token and repeats no fewer than 0 sentences"
    ) }}
{%- endif -%}
with

sentences as (

    select * from {{ ref('sentences') }}

),

int_table_cells_worded as (

    select * from {{ ref('int_table_cells_worded') }}

),

-- The figures of a row alone say neither which they are nor in what unit.
rows_worded as (

    select
        sentence_id,
        min(table_id) as table_id,
        min(caption) as caption,
        concat_ws(
            ' | ',
            nullif(min(row_words), ''),
            string_agg(figure_words, '; ' order by row_pos, col_pos)
        ) as row_text
    from int_table_cells_worded
    where sentence_id is not null
    group by sentence_id

),

worded as (

    select
        sentences.* replace (
            case
                when rows_worded.row_text is null then sentences.token_count
                else {{ regex_count('rows_worded.row_text', 'token') }}
            end as token_count,
            coalesce(rows_worded.row_text, sentences.sentence_text) as sentence_text
        ),
        rows_worded.table_id,
        rows_worded.caption
    from sentences
    left join rows_worded
        on
            sentences.sentence_id = rows_worded.sentence_id
            and sentences.is_table_text

),

-- Positions may have gaps where a ready table lost rows; places have none.
counted as (

    select
        *,
        row_number() over section_so_far - 1 as place,
        sum(token_count) over section_so_far - token_count as tokens_before,
        greatest(sum(token_count) over (partition by section_id), 1) as section_tokens
    from worded
    window
        section_so_far as (partition by section_id order by sentence_pos)

),

-- A section is cut into as few chunks as its length asks for, all about as long: a
-- sentence belongs to the share in which it begins, so that none is cut.
shared as (

    select
        *,
        cast(ceil(section_tokens / {{ size }}) as bigint) as n_shares
    from counted

),

-- A sentence that fills more than a share leaves none empty.
placed as (

    select
        *,
        cast(
            dense_rank() over (
                partition by section_id
                order by tokens_before * n_shares // section_tokens
            ) - 1 as integer
        ) as chunk_pos
    from shared

),

starts as (

    select
        section_id,
        chunk_pos,
        greatest(min(place) - {{ overlap }}, 0) as first_place,
        max(place) as last_place
    from placed
    group by section_id, chunk_pos

),

members as (

    select
        placed.* exclude (chunk_pos, caption),
        starts.chunk_pos,
        -- Of the rows of a table the first in a chunk says the caption.
        case
            when
                row_number() over (
                    partition by placed.section_id, starts.chunk_pos, placed.table_id
                    order by placed.place
                ) = 1
                then placed.caption
        end as caption,
        -- A row is a line of its own.
        case
            when
                placed.table_id is not null
                or lag(placed.table_id) over (
                    partition by placed.section_id, starts.chunk_pos
                    order by placed.place
                ) is not null
                then chr(10)
            else ' '
        end as separator
    from starts
    inner join placed
        on
            starts.section_id = placed.section_id
            and placed.place between starts.first_place and starts.last_place

),

filled as (

    select
        section_id,
        chunk_pos,
        filing_id,
        cik_int,
        report_year,
        form,
        section_name,
        min(sentence_pos) as first_sentence_pos,
        max(sentence_pos) as last_sentence_pos,
        count(*) as n_sentences,
        cast(
            sum(
                token_count
                + coalesce({{ regex_count("caption || ' | '", 'token') }}, 0)
            ) as bigint
        ) as token_count,
        substr(
            string_agg(
                separator || concat_ws(' | ', caption, sentence_text), '' order by place
            ),
            2
        ) as sentences_text
    from members
    group by
        section_id,
        chunk_pos,
        filing_id,
        cik_int,
        report_year,
        form,
        section_name

)

select
    section_id || '_chunk_' || chunk_pos as chunk_id,
    section_id,
    filing_id,
    cik_int,
    report_year,
    form,
    section_name,
    chunk_pos,
    first_sentence_pos,
    last_sentence_pos,
    n_sentences,
    token_count,
    sentences_text
from filled
