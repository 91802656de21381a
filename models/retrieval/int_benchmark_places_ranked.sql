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

benchmark_items as (

    select * from {{ ref('benchmark_items') }}

),

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

benchmark_places as (

    select * from {{ ref('benchmark_places') }}

),

named as (

    select
        stg_benchmarks__rankings.*,
        registered_systems.system_id as registered_id,
        coalesce(
            stg_benchmarks__rankings.passage_id, benchmark_places.passage_id
        ) as named_passage_id
    from stg_benchmarks__rankings
    left join registered_systems
        on stg_benchmarks__rankings.system_id = registered_systems.system_id
    left join benchmark_places
        on
            stg_benchmarks__rankings.benchmark = benchmark_places.benchmark
            and stg_benchmarks__rankings.document = benchmark_places.document
            and stg_benchmarks__rankings.page = benchmark_places.page

),

placed as (

    select
        named.*,
        benchmark_items.item_id,
        benchmark_passages.passage_id is not null as is_known,
        case
            when benchmark_passages.is_rankable then benchmark_passages.passage_id
            else benchmark_passages.parent_id
        end as found_passage_id,
        case
            when benchmark_passages.is_rankable then benchmark_passages.space
            when benchmark_passages.passage_id is not null then 'row'
            when named.page is not null then 'page'
        end as space
    from named
    left join benchmark_items
        on
            named.benchmark = benchmark_items.benchmark
            and named.question_id = benchmark_items.question_id
    left join benchmark_passages
        on
            named.benchmark = benchmark_passages.benchmark
            and named.named_passage_id = benchmark_passages.passage_id

)

select
    {{ given_system_id('system_id', 'registered_id') }} as system_id,
    benchmark,
    question_id,
    item_id,
    space,
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
