{#-
    What answers cite, led to what was loaded. What outside systems cite is resolved with
    their predictions.
-#}
with

py_questions_answered as (

    select * from {{ ref('py_questions_answered') }}

),

int_agent_citations_read as (

    select * from {{ ref('int_agent_citations_read') }}

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

int_external_answers_checked as (

    select *
    from {{ ref('int_external_answers_checked') }}
    where outcome = 'answered'

),

items as (

    select * from {{ ref('items') }}

),

passages as (

    select *
    from {{ ref('passages') }}
    where unit <> 'chunk'

),

answered as (

    select
        system_id,
        item_id,
        unnest(citations) as citation,
        generate_subscripts(citations, 1) as place
    from py_questions_answered

),

placed as (

    select
        answered.system_id,
        items.gold_set,
        answered.item_id,
        cast(answered.place - 1 as integer) as citation_pos,
        struct_extract(answered.citation, 'sentence_id') as named,
        struct_extract(answered.citation, 'is_in_context') as is_in_context,
        struct_extract(answered.citation, 'quote') as quote
    from answered
    inner join items
        on answered.item_id = items.item_id

    union all by name

    select * from int_agent_citations_read

),

placed_outside as (

    select
        system_id,
        gold_set,
        item_id,
        {{ unnest_structs('citations') }}
    from external_predictions

)

select
    placed.system_id,
    placed.gold_set,
    placed.item_id,
    placed.citation_pos,
    passages.passage_id,
    passages.document_id,
    cast(null as varchar) as document,
    passages.page,
    placed.named,
    passages.passage_id is not null as is_known,
    placed.is_in_context,
    placed.quote
from placed
left join passages
    on placed.named = passages.passage_id

union all

-- Citations count beside a verdict too, where the answer itself is not told; those of a
-- question that failed or was declined are of no answer.
select
    placed_outside.system_id,
    placed_outside.gold_set,
    placed_outside.item_id,
    placed_outside.citation_pos,
    placed_outside.passage_id,
    placed_outside.document_id,
    placed_outside.document,
    placed_outside.page,
    placed_outside.named,
    placed_outside.is_known,
    placed_outside.is_in_context,
    placed_outside.quote
from placed_outside
inner join int_external_answers_checked
    on
        placed_outside.system_id = int_external_answers_checked.system_id
        and placed_outside.item_id = int_external_answers_checked.item_id
