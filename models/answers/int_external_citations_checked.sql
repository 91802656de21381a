{#- Sentences that an outside system cites, as it wrote them. Its context is what it
    says that it retrieved; where it says nothing, any sentence of the corpus stands. -#}
with

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

int_external_answers_checked as (

    select * from {{ ref('int_external_answers_checked') }}

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

retrieved as (

    select
        system_id,
        item_id,
        {{ unnest_list('retrieved_ids', 'sentence_id') }}
    from external_predictions

),

told as (

    select
        system_id,
        item_id
    from external_predictions
    where retrieved_ids is not null

)

select
    answered.system_id,
    answered.item_id,
    answered.citation_pos,
    answered.sentence_id,
    sentences.sentence_id is not null as is_in_corpus,
    sentences.sentence_id is not null
    and (retrieved.sentence_id is not null or told.item_id is null)
        as is_in_context,
    answered.quote
from answered
left join sentences
    on answered.sentence_id = sentences.sentence_id
left join retrieved
    on
        answered.system_id = retrieved.system_id
        and answered.item_id = retrieved.item_id
        and answered.sentence_id = retrieved.sentence_id
left join told
    on
        answered.system_id = told.system_id
        and answered.item_id = told.item_id
