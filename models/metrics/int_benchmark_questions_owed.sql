{#-
    A system of this project owes every question of every set; a filtered search of a document
    that is not there is none. A system of a file owes every question of the sets it ranks,
    and was run on those that its file has.
-#}
with

int_benchmark_systems_listed as (

    select * from {{ ref('int_benchmark_systems_listed') }}

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

benchmark_rankings as (

    select * from {{ ref('benchmark_rankings') }}

),

benchmark_runs as (

    select * from {{ ref('benchmark_runs') }}

),

runs as (

    select
        system_id,
        benchmark
    from benchmark_rankings
    group by system_id, benchmark

),

documents as (

    select document_id
    from passages
    where is_rankable
    group by document_id

),

given_systems as (

    select
        system_id,
        benchmark
    from benchmark_runs
    where is_asked
    group by system_id, benchmark

)

select
    int_benchmark_systems_listed.system_id,
    items.gold_set as benchmark,
    items.item_id,
    false as is_given,
    runs.system_id is not null
    and (
        int_benchmark_systems_listed.regime = 'open'
        or documents.document_id is not null
    ) as is_run
from items
cross join int_benchmark_systems_listed
left join runs
    on
        int_benchmark_systems_listed.system_id = runs.system_id
        and items.gold_set = runs.benchmark
left join documents
    on items.document_id = documents.document_id

union all

select
    given_systems.system_id,
    items.gold_set as benchmark,
    items.item_id,
    true as is_given,
    benchmark_runs.item_id is not null as is_run
from items
inner join given_systems
    on items.gold_set = given_systems.benchmark
left join benchmark_runs
    on
        given_systems.system_id = benchmark_runs.system_id
        and items.item_id = benchmark_runs.item_id
