with

py_questions_answered as (

    select * from {{ ref('py_questions_answered') }}

),

int_external_citations_checked as (

    select * from {{ ref('int_external_citations_checked') }}

),

items as (

    select * from {{ ref('items') }}

),

passages as (

    select *
    from {{ ref('passages') }}
    where unit <> 'chunk'

),

placed as (

    select
        system_id,
        item_id,
        {{ unnest_list_with_place('citations', 'citation') }}
    from py_questions_answered

),

cited as (

    select
        system_id,
        item_id,
        cast(place - 1 as integer) as citation_pos,
        {{ field_of('citation', 'sentence_id') }} as named,
        {{ field_of('citation', 'is_in_context') }} as is_in_context,
        {{ field_of('citation', 'quote') }} as quote
    from placed

)

select
    cited.system_id,
    items.gold_set,
    cited.item_id,
    cited.citation_pos,
    passages.passage_id,
    passages.document_id,
    cast(null as varchar) as document,
    passages.page,
    cited.named,
    passages.passage_id is not null as is_known,
    cited.is_in_context,
    cited.quote
from cited
inner join items
    on cited.item_id = items.item_id
left join passages
    on cited.named = passages.passage_id

union all

select
    system_id,
    gold_set,
    item_id,
    citation_pos,
    passage_id,
    document_id,
    document,
    page,
    named,
    is_known,
    is_in_context,
    quote
from int_external_citations_checked
