{%- set size = var('chunk_sentences') | int -%}
{%- set overlap = var('chunk_overlap') | int -%}
{%- if size < 1 or overlap < 0 or overlap >= size -%}
    {{ exceptions.raise_compiler_error(
        "chunk_sentences is " ~ size ~ " and chunk_overlap is " ~ overlap
        ~ ": a chunk holds at least one sentence and overlaps the next by fewer than it holds"
    ) }}
{%- endif -%}
{%- set step = size - overlap -%}
with

sentences as (

    select * from {{ ref('sentences') }}

),

-- Positions may have gaps where a ready table lost rows; places have none.
placed as (

    select
        *,
        row_number() over (partition by section_id order by sentence_pos) - 1 as place,
        count(*) over (partition by section_id) as n_places
    from sentences

),

-- No chunk begins where the one before it already reaches the end of the section.
starts as (

    select
        section_id,
        place as first_place,
        cast(place / {{ step }} as integer) as chunk_pos
    from placed
    where
        place % {{ step }} = 0
        and (place = 0 or place + {{ overlap }} < n_places)

),

filled as (

    select
        starts.section_id,
        starts.chunk_pos,
        placed.filing_id,
        placed.cik_int,
        placed.report_year,
        placed.section_name,
        min(placed.sentence_pos) as first_sentence_pos,
        max(placed.sentence_pos) as last_sentence_pos,
        count(*) as n_sentences,
        cast(sum(placed.token_count) as bigint) as token_count,
        array_to_string(list(placed.sentence_text order by placed.place), ' ')
            as chunk_text
    from starts
    inner join placed
        on
            starts.section_id = placed.section_id
            and starts.first_place <= placed.place
            and starts.first_place + {{ size }} > placed.place
    group by
        starts.section_id,
        starts.chunk_pos,
        placed.filing_id,
        placed.cik_int,
        placed.report_year,
        placed.section_name

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
from filled
