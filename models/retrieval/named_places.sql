{#-
    What the documents and pages mean that citations and rankings of outside systems name:
    documents that were loaded, whatever the case, folder and ending of the name. Filings
    are cited by their sentences.
-#}
with

int_external_rows_matched as (

    select *
    from {{ ref('int_external_rows_matched') }}
    where {{ gold_set_is('public', 'gold_set') }}

),

documents as (

    select * from {{ ref('documents') }}

),

document_names as (

    select * from {{ ref('document_names') }}

),

passages as (

    select * from {{ ref('passages') }}

),

cited as (

    select
        gold_set as corpus_id,
        {{ unnest_structs('citations') }}
    from int_external_rows_matched

),

ranked as (

    select
        gold_set as corpus_id,
        {{ unnest_structs('sources') }}
    from int_external_rows_matched

),

named as (

    select
        corpus_id,
        document,
        document_key,
        page
    from cited
    where document is not null

    union

    select
        corpus_id,
        document,
        document_key,
        page
    from ranked
    where document is not null

),

pages as (

    select
        document_id,
        page,
        min(passage_id) as passage_id
    from passages
    where unit = 'page'
    group by document_id, page

),

resolved as (

    select
        named.corpus_id,
        named.document,
        named.page,
        coalesce(documents.document_id, document_names.document_id) as document_id,
        document_names.n_documents
    from named
    left join documents
        on
            named.corpus_id = documents.corpus_id
            and named.document = documents.document_name
    left join document_names
        on
            named.corpus_id = document_names.corpus_id
            and named.document_key = document_names.name_key

)

select
    resolved.corpus_id,
    resolved.document,
    resolved.page,
    resolved.document_id,
    pages.passage_id,
    case
        when pages.passage_id is not null then 'mapped'
        when resolved.document_id is null and resolved.n_documents > 1
            then 'the name of the document is not clear'
        when resolved.document_id is null then 'the document was not loaded'
        when resolved.page is null then 'no page is named'
        else 'the document has no such page'
    end as mapping
from resolved
left join pages
    on
        resolved.document_id = pages.document_id
        and resolved.page = pages.page
