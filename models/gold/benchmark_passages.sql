with

stg_benchmarks__passages as (

    select * from {{ ref('stg_benchmarks__passages') }}

)

select
    benchmark,
    passage_id,
    document_id,
    space,
    position,
    passage_text,
    parent_id,
    table_pos,
    row_pos,
    column_pos,
    page,
    title,
    speaker,
    role,
    -- A cell alone says nothing: it is found through its row.
    space <> 'cell' as is_rankable
from stg_benchmarks__passages
