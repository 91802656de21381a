{#-
    What files say was retrieved, led to the passage that is ranked: of a cell its row, of a
    page that is named by document and number the page. What leads nowhere keeps its place,
    so that no system gains by naming what does not exist.
-#}
with

int_external_rows_matched as (

    select *
    from {{ ref('int_external_rows_matched') }}
    where
        gold_set <> 'p3'
        and sources is not null

),

passages as (

    select * from {{ ref('passages') }}

),

named_places as (

    select * from {{ ref('named_places') }}

),

entries as (

    select
        system_id,
        gold_set,
        item_key,
        source_file,
        source_line,
        {{ unnest_structs('sources') }}
    from int_external_rows_matched

),

-- A system that looked and found nothing has a row too.
listed as (

    select
        int_external_rows_matched.system_id,
        int_external_rows_matched.gold_set,
        int_external_rows_matched.item_key as question_id,
        int_external_rows_matched.item_id,
        int_external_rows_matched.source_file,
        int_external_rows_matched.source_line,
        entries.place as position,
        entries.score,
        entries.passage_id,
        entries.document,
        entries.page
    from int_external_rows_matched
    left join entries
        on
            int_external_rows_matched.system_id = entries.system_id
            and int_external_rows_matched.gold_set = entries.gold_set
            and int_external_rows_matched.item_key = entries.item_key
            and int_external_rows_matched.source_file = entries.source_file
            and int_external_rows_matched.source_line = entries.source_line

),

named as (

    select
        listed.*,
        coalesce(
            {{ set_key('listed.gold_set', 'listed.passage_id') }},
            named_places.passage_id
        ) as named_passage_id
    from listed
    left join named_places
        on
            listed.gold_set = named_places.corpus_id
            and listed.document = named_places.document
            and listed.page = named_places.page

),

placed as (

    select
        named.*,
        passages.passage_id is not null as is_known,
        case
            when passages.is_rankable then passages.passage_id
            else passages.parent_id
        end as found_passage_id,
        case
            when passages.is_rankable then passages.unit
            when passages.passage_id is not null then 'row'
            when named.page is not null then 'page'
        end as unit
    from named
    left join passages
        on
            named.gold_set = passages.corpus_id
            and named.named_passage_id = passages.passage_id

)

select
    system_id,
    gold_set,
    question_id,
    item_id,
    unit,
    coalesce(
        found_passage_id,
        named_passage_id,
        document || coalesce('#page-' || cast(page as varchar), '')
    ) as passage_id,
    position,
    score,
    case
        when item_id is null then 'unknown_question'
        when passage_id is null and document is null then 'nothing_found'
        when is_known then 'mapped'
        else 'unknown_passage'
    end as place_status,
    source_file,
    source_line
from placed
