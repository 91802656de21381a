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

stg_benchmarks__passages as (

    select * from {{ ref('stg_benchmarks__passages') }}

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
