{#-
    What answers cite, as they name it, led to what was loaded. The context of an outside
    system is what it says that it retrieved; where it says nothing, any passage of the
    corpus stands.
-#}
with

py_questions_answered as (

    select * from {{ ref('py_questions_answered') }}

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

int_external_answers_checked as (

    select * from {{ ref('int_external_answers_checked') }}

),

items as (

    select * from {{ ref('items') }}

),

named_places as (

    select * from {{ ref('named_places') }}

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
        unnest(citations) as citation,
        generate_subscripts(citations, 1) as place
    from py_questions_answered

),

placed_outside as (

    select
        system_id,
        gold_set,
        item_id,
        retrieved_ids,
        {{ unnest_structs('citations') }}
    from external_predictions

),

cited as (

    select
        placed.system_id,
        items.gold_set,
        placed.item_id,
        cast(placed.place - 1 as integer) as citation_pos,
        struct_extract(placed.citation, 'sentence_id') as named_passage_id,
        cast(null as varchar) as document,
        cast(null as integer) as page,
        struct_extract(placed.citation, 'sentence_id') as named,
        struct_extract(placed.citation, 'is_in_context') as is_in_context,
        cast(null as varchar[]) as retrieved_ids,
        struct_extract(placed.citation, 'quote') as quote
    from placed
    inner join items
        on placed.item_id = items.item_id

    union all

    -- Citations count beside a verdict too, where the answer itself is not told; those
    -- of a question that failed or was declined are of no answer.
    select
        placed_outside.system_id,
        placed_outside.gold_set,
        placed_outside.item_id,
        placed_outside.citation_pos,
        case
            when {{ gold_set_is('filings', 'placed_outside.gold_set') }}
                then placed_outside.passage_id
            else {{ set_key('placed_outside.gold_set', 'placed_outside.passage_id') }}
        end as named_passage_id,
        placed_outside.document,
        placed_outside.page,
        coalesce(placed_outside.passage_id, placed_outside.document) as named,
        cast(null as boolean) as is_in_context,
        placed_outside.retrieved_ids,
        placed_outside.quote
    from placed_outside
    inner join int_external_answers_checked
        on
            placed_outside.system_id = int_external_answers_checked.system_id
            and placed_outside.item_id = int_external_answers_checked.item_id
    where int_external_answers_checked.outcome = 'answered'

),

resolved as (

    select
        cited.*,
        coalesce(passages.passage_id, named_places.passage_id) as passage_id,
        coalesce(passages.document_id, named_places.document_id) as document_id,
        coalesce(passages.page, cited.page) as known_page,
        passages.passage_id is not null
        or named_places.passage_id is not null
        or (cited.page is null and named_places.document_id is not null)
            as is_known
    from cited
    left join passages
        on cited.named_passage_id = passages.passage_id
    left join named_places
        on
            cited.gold_set = named_places.corpus_id
            and cited.document = named_places.document
            and cited.page is not distinct from named_places.page

)

select
    system_id,
    gold_set,
    item_id,
    citation_pos,
    passage_id,
    document_id,
    document,
    known_page as page,
    named,
    is_known,
    coalesce(
        is_in_context,
        is_known
        and (
            retrieved_ids is null
            or list_contains(retrieved_ids, passage_id)
        )
    ) as is_in_context,
    quote
from resolved
