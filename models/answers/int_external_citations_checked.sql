{#- What an outside system cites, as it wrote it. Its context is what it says that it
    retrieved; where it says nothing, any passage of the corpus stands. -#}
with

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

int_external_answers_checked as (

    select * from {{ ref('int_external_answers_checked') }}

),

named_places as (

    select * from {{ ref('named_places') }}

),

passages as (

    select *
    from {{ ref('passages') }}
    where unit <> 'chunk'

),

cited as (

    select
        system_id,
        gold_set,
        item_id,
        retrieved_ids,
        {{ unnest_structs('citations') }}
    from external_predictions

),

-- Citations count beside a verdict too, where the answer itself is not told.
answered as (

    select
        cited.*,
        case
            when cited.gold_set = 'p3' then cited.passage_id
            else {{ set_key('cited.gold_set', 'cited.passage_id') }}
        end as named_passage_id
    from cited
    inner join int_external_answers_checked
        on
            cited.system_id = int_external_answers_checked.system_id
            and cited.item_id = int_external_answers_checked.item_id
    where
        int_external_answers_checked.outcome = 'answered'
        or cited.gold_set <> 'p3'

),

resolved as (

    select
        answered.*,
        coalesce(passages.passage_id, named_places.passage_id) as known_passage_id,
        coalesce(passages.document_id, named_places.document_id) as document_id,
        coalesce(passages.page, answered.page) as known_page,
        passages.passage_id is not null
        or named_places.passage_id is not null
        or (answered.page is null and named_places.document_id is not null)
            as is_known
    from answered
    left join passages
        on answered.named_passage_id = passages.passage_id
    left join named_places
        on
            answered.gold_set = named_places.corpus_id
            and answered.document = named_places.document
            and answered.page is not distinct from named_places.page

)

select
    system_id,
    gold_set,
    item_id,
    citation_pos,
    known_passage_id as passage_id,
    document_id,
    document,
    known_page as page,
    coalesce(passage_id, document) as named,
    is_known,
    is_known
    and (
        retrieved_ids is null
        or {{ is_in_list('known_passage_id', 'retrieved_ids') }}
    ) as is_in_context,
    quote
from resolved
