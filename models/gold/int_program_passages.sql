with

passages as (

    select * from {{ ref('passages') }}

),

int_programs_stated as (

    select * from {{ ref('int_programs_stated') }}

),

documents as (

    select document_id
    from int_programs_stated
    group by document_id

)

select
    passages.corpus_id as benchmark,
    passages.passage_id,
    passages.document_id,
    passages.unit as space,
    passages.position,
    passages.passage_text as text,
    passages.parent_id,
    passages.table_pos,
    passages.row_pos,
    passages.column_pos
from passages
inner join documents
    on passages.document_id = documents.document_id
