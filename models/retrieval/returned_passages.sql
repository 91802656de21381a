{#-
    How many different passages outside systems returned, ranked or cited, counted question by
    question, and how many of them the corpus has. A page of a document that was loaded is
    recognised though the page was not: it is a wrong page. What names nothing, such as a
    text alone, was returned as well.
-#}
with

int_external_rows_matched as (

    select *
    from {{ ref('int_external_rows_matched') }}
    where reason_code is null

),

int_external_rankings_checked as (

    select *
    from {{ ref('int_external_rankings_checked') }}
    where is_ranked

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

cited as (

    select
        system_id,
        gold_set,
        item_id,
        {{ unnest_structs('citations') }}
    from external_predictions

),

faulty as (

    select
        system_id,
        gold_set,
        item_id,
        source_file,
        source_line,
        {{ unnest_structs('faults') }}
    from int_external_rows_matched

),

returned as (

    select
        system_id,
        gold_set,
        item_id,
        passage_id as named,
        reason_code is null or is_of_document as is_recognised
    from int_external_rankings_checked

    union all

    select
        system_id,
        gold_set,
        item_id,
        coalesce(passage_id, named) as named,
        is_known or document_id is not null as is_recognised
    from cited

    union all

    select
        system_id,
        gold_set,
        item_id,
        concat_ws('|', source_file, source_line, part, place) as named,
        false as is_recognised
    from faulty
    where
        starts_with(fault_code, 'bad_source')
        or starts_with(fault_code, 'bad_citation')

),

distinct_passages as (

    select
        system_id,
        gold_set,
        item_id,
        named,
        bool_or(is_recognised) as is_recognised
    from returned
    group by system_id, gold_set, item_id, named

)

select
    system_id,
    gold_set,
    count(*) as n_returned,
    count(*) filter (where is_recognised) as n_recognised
from distinct_passages
group by system_id, gold_set
