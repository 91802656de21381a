{#-
    What files say was retrieved, led to the passage that is ranked: of a cell its row, of a
    page that is named by document and number the page. What leads nowhere keeps its place,
    so that no system gains by naming what does not exist.
-#}
with

stg_benchmarks__rankings as (

    select * from {{ ref('stg_benchmarks__rankings') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

items as (

    select *
    from {{ ref('items') }}
    where
        item_kind = 'question'
        and gold_set <> 'p3'

),

passages as (

    select * from {{ ref('passages') }}

),

named_places as (

    select * from {{ ref('named_places') }}

),

named as (

    select
        stg_benchmarks__rankings.*,
        registered_systems.system_id as registered_id,
        coalesce(
            {{ set_key(
                'stg_benchmarks__rankings.benchmark',
                'stg_benchmarks__rankings.passage_id'
            ) }},
            named_places.passage_id
        ) as named_passage_id
    from stg_benchmarks__rankings
    left join registered_systems
        on stg_benchmarks__rankings.system_id = registered_systems.system_id
    left join named_places
        on
            stg_benchmarks__rankings.benchmark = named_places.corpus_id
            and stg_benchmarks__rankings.document = named_places.document
            and stg_benchmarks__rankings.page = named_places.page

),

placed as (

    select
        named.*,
        items.item_id,
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
    left join items
        on
            named.benchmark = items.gold_set
            and named.question_id = items.question_id
    left join passages
        on
            named.benchmark = passages.corpus_id
            and named.named_passage_id = passages.passage_id

)

select
    {{ given_system_id('system_id', 'registered_id') }} as system_id,
    benchmark as gold_set,
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
