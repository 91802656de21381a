{#-
    What the documents and pages mean that citations and rankings in files name: documents
    that were loaded, whatever the case, folder and ending of the name.
-#}
with

int_benchmark_places_named as (

    select * from {{ ref('int_benchmark_places_named') }}

),

py_benchmark_documents_meant as (

    select * from {{ ref('py_benchmark_documents_meant') }}

),

benchmark_passages as (

    select * from {{ ref('benchmark_passages') }}

),

pages as (

    select
        benchmark,
        document_id,
        page,
        min(passage_id) as passage_id
    from benchmark_passages
    where space = 'page'
    group by benchmark, document_id, page

)

select
    int_benchmark_places_named.benchmark,
    int_benchmark_places_named.document,
    int_benchmark_places_named.page,
    py_benchmark_documents_meant.document_id,
    pages.passage_id,
    case
        when pages.passage_id is not null then 'mapped'
        when py_benchmark_documents_meant.n_documents > 1
            then 'the name of the document is not clear'
        when py_benchmark_documents_meant.document_id is null
            then 'the document was not loaded'
        when int_benchmark_places_named.page is null then 'no page is named'
        else 'the document has no such page'
    end as mapping
from int_benchmark_places_named
left join py_benchmark_documents_meant
    on
        int_benchmark_places_named.benchmark
        = py_benchmark_documents_meant.benchmark
        and int_benchmark_places_named.document
        = py_benchmark_documents_meant.document
left join pages
    on
        int_benchmark_places_named.benchmark = pages.benchmark
        and py_benchmark_documents_meant.document_id = pages.document_id
        and int_benchmark_places_named.page = pages.page
