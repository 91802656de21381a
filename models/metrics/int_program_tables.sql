{#- Programs may sum a row of a table of a context that somebody answered about. -#}
with

passages as (

    select * from {{ ref('passages') }}

),

items as (

    select * from {{ ref('items') }}

),

item_answers as (

    select *
    from {{ ref('item_answers') }}
    where {{ gold_set_is('public', 'gold_set') }}

),

answers as (

    select *
    from {{ ref('answers') }}
    where outcome <> 'not_run'

),

documents as (

    select items.document_id
    from items
    inner join item_answers
        on items.item_id = item_answers.item_id
    inner join answers
        on items.item_id = answers.item_id
    where item_answers.program is not null
    group by items.document_id

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
where passages.unit in ('row', 'cell')
