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

companies as (

    select * from {{ ref('companies') }}

),

section_titles as (

    select * from {{ ref('section_titles') }}

),

-- Positions may have gaps where a ready table lost rows; places have none.
counted as (

    select
        *,
        row_number() over section_so_far - 1 as place,
        sum(token_count) over section_so_far - token_count as tokens_before,
        greatest(sum(token_count) over (partition by section_id), 1) as section_tokens
    from sentences
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

filled as (

    select
        starts.section_id,
        starts.chunk_pos,
        placed.filing_id,
        placed.cik_int,
        placed.report_year,
        placed.form,
        placed.section_name,
        min(placed.sentence_pos) as first_sentence_pos,
        max(placed.sentence_pos) as last_sentence_pos,
        count(*) as n_sentences,
        cast(sum(placed.token_count) as bigint) as token_count,
        array_to_string(list(placed.sentence_text order by placed.place), ' ')
            as sentences_text
    from starts
    inner join placed
        on
            starts.section_id = placed.section_id
            and placed.place between starts.first_place and starts.last_place
    group by
        starts.section_id,
        starts.chunk_pos,
        placed.filing_id,
        placed.cik_int,
        placed.report_year,
        placed.form,
        placed.section_name

),

headed as (

    select
        filled.*,
        concat(
            '[COMPANY: ',
            companies.display_name,
            ' | FILING: ',
            concat_ws(' ', filled.form, filled.report_year),
            ' | SECTION: ',
            coalesce(section_titles.title, filled.section_name),
            '] ',
            filled.sentences_text
        ) as chunk_text
    from filled
    left join companies
        on filled.cik_int = companies.cik_int
    left join section_titles
        on filled.section_name = section_titles.section_name

)

select
    section_id || '_chunk_' || chunk_pos as chunk_id,
    section_id,
    filing_id,
    cik_int,
    report_year,
    section_name,
    chunk_pos,
    first_sentence_pos,
    last_sentence_pos,
    n_sentences,
    token_count,
    chunk_text,
    md5(chunk_text) as chunk_hash
from headed
