{#-
    Every unit of text that can be ranked, cited or searched, over the tables that own it. A
    system ranks sentences where it searches chunks, and rows where it searches cells.
-#}
with

sentences as (

    select * from {{ ref('sentences') }}

),

chunks as (

    select * from {{ ref('chunks') }}

),

int_table_cells_worded as (

    select * from {{ ref('int_table_cells_worded') }}

),

stg_benchmarks__passages as (

    select * from {{ ref('stg_benchmarks__passages') }}

),

table_rows as (

    select
        row_id,
        table_id,
        filing_id,
        row_pos,
        concat_ws(
            ' | ',
            min(caption),
            min(row_words),
            string_agg(figure_words, '; ' order by col_pos)
        ) as row_text
    from int_table_cells_worded
    group by row_id, table_id, filing_id, row_pos

),

table_texts as (

    select
        table_id,
        filing_id,
        string_agg(row_text, chr(10) order by row_pos) as table_text
    from table_rows
    group by table_id, filing_id

)

select
    sentence_id as passage_id,
    'filings' as corpus_id,
    filing_id as document_id,
    'sentence' as unit,
    cast(null as varchar) as parent_id,
    cast(sentence_pos as bigint) as position,
    cast(null as integer) as page,
    cast(null as integer) as table_pos,
    cast(null as integer) as row_pos,
    cast(null as integer) as column_pos,
    cast(null as varchar) as speaker,
    cast(null as varchar) as role,
    cast(null as varchar) as title,
    sentence_text as passage_text,
    text_hash,
    true as is_rankable
from sentences

union all

select
    chunk_id as passage_id,
    'filings' as corpus_id,
    filing_id as document_id,
    'chunk' as unit,
    cast(null as varchar) as parent_id,
    cast(first_sentence_pos as bigint) as position,
    cast(null as integer) as page,
    cast(null as integer) as table_pos,
    cast(null as integer) as row_pos,
    cast(null as integer) as column_pos,
    cast(null as varchar) as speaker,
    cast(null as varchar) as role,
    cast(null as varchar) as title,
    chunk_text as passage_text,
    chunk_hash as text_hash,
    false as is_rankable
from chunks

union all

select
    table_id as passage_id,
    'filings' as corpus_id,
    filing_id as document_id,
    'table' as unit,
    cast(null as varchar) as parent_id,
    cast({{ table_place('table_id') }} as bigint) as position,
    cast(null as integer) as page,
    {{ table_place('table_id') }} as table_pos,
    cast(null as integer) as row_pos,
    cast(null as integer) as column_pos,
    cast(null as varchar) as speaker,
    cast(null as varchar) as role,
    cast(null as varchar) as title,
    table_text as passage_text,
    md5(table_text) as text_hash,
    false as is_rankable
from table_texts

union all

select
    row_id as passage_id,
    'filings' as corpus_id,
    filing_id as document_id,
    'row' as unit,
    table_id as parent_id,
    cast(row_pos as bigint) as position,
    cast(null as integer) as page,
    {{ table_place('table_id') }} as table_pos,
    row_pos,
    cast(null as integer) as column_pos,
    cast(null as varchar) as speaker,
    cast(null as varchar) as role,
    cast(null as varchar) as title,
    row_text as passage_text,
    md5(row_text) as text_hash,
    true as is_rankable
from table_rows

union all

select
    cell_id as passage_id,
    'filings' as corpus_id,
    filing_id as document_id,
    'cell' as unit,
    row_id as parent_id,
    cast(col_pos as bigint) as position,
    cast(null as integer) as page,
    {{ table_place('table_id') }} as table_pos,
    row_pos,
    col_pos as column_pos,
    cast(null as varchar) as speaker,
    cast(null as varchar) as role,
    cast(null as varchar) as title,
    concat_ws(' | ', caption, row_words, figure_words) as passage_text,
    md5(concat_ws(' | ', caption, row_words, figure_words)) as text_hash,
    true as is_rankable
from int_table_cells_worded

union all

select
    {{ set_key('benchmark', 'passage_id') }} as passage_id,
    benchmark as corpus_id,
    {{ set_key('benchmark', 'document_id') }} as document_id,
    space as unit,
    {{ set_key('benchmark', 'parent_id') }} as parent_id,
    cast(position as bigint) as position,
    page,
    table_pos,
    row_pos,
    column_pos,
    speaker,
    role,
    title,
    passage_text,
    md5(passage_text) as text_hash,
    -- A cell alone says nothing: it is found through its row.
    space <> 'cell' as is_rankable
from stg_benchmarks__passages
