{#- Sentences that an outside system cites, as it wrote them. Its context is what it
    says that it retrieved; where it says nothing, any sentence of the corpus stands. -#}
with

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

int_external_answers_checked as (

    select * from {{ ref('int_external_answers_checked') }}

),

rankings as (

    select * from {{ ref('rankings') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

cited as (

    select
        system_id,
        item_id,
        {{ unnest_structs('citations') }}
    from external_predictions

),

answered as (

    select
        cited.system_id,
        cited.item_id,
        cited.citation_pos,
        cited.sentence_id,
        cited.quote
    from cited
    inner join int_external_answers_checked
        on
            cited.system_id = int_external_answers_checked.system_id
            and cited.item_id = int_external_answers_checked.item_id
    where int_external_answers_checked.outcome = 'answered'

),

cited_items as (

    select
        system_id,
        item_id
    from answered
    group by system_id, item_id

),

ranked_items as (

    select
        cited_items.system_id,
        cited_items.item_id
    from cited_items
    semi join rankings
        on
            cited_items.system_id = rankings.system_id
            and cited_items.item_id = rankings.item_id

)

select
    answered.system_id,
    answered.item_id,
    answered.citation_pos,
    answered.sentence_id,
    sentences.sentence_id is not null as is_in_corpus,
    sentences.sentence_id is not null
    and (rankings.sentence_id is not null or ranked_items.item_id is null)
        as is_in_context,
    answered.quote
from answered
left join sentences
    on answered.sentence_id = sentences.sentence_id
left join rankings
    on
        answered.system_id = rankings.system_id
        and answered.item_id = rankings.item_id
        and answered.sentence_id = rankings.sentence_id
left join ranked_items
    on
        answered.system_id = ranked_items.system_id
        and answered.item_id = ranked_items.item_id
