with

py_questions_answered as (

    select * from {{ ref('py_questions_answered') }}

),

int_external_citations_checked as (

    select * from {{ ref('int_external_citations_checked') }}

),

placed as (

    select
        system_id,
        item_id,
        {{ unnest_list_with_place('citations', 'citation') }}
    from py_questions_answered

)

select
    system_id,
    item_id,
    cast(place - 1 as integer) as citation_pos,
    {{ field_of('citation', 'sentence_id') }} as sentence_id,
    {{ field_of('citation', 'is_in_context') }} as is_in_context,
    {{ field_of('citation', 'quote') }} as quote
from placed

union all

select
    system_id,
    item_id,
    citation_pos,
    sentence_id,
    is_in_context,
    quote
from int_external_citations_checked
