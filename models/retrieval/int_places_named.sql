{#-
    What the documents and pages mean that citations and rankings of outside systems name:
    documents that were loaded, whatever the case, folder and ending of the name. A name that
    leads nowhere is not here. A file of one's own may answer any public set, so its names are
    looked up in each. Filings are cited by their sentences.
-#}
with

stg_predictions as (

    select * from {{ ref('stg_predictions') }}

),

py_external_services_asked as (

    select * from {{ ref('py_external_services_asked') }}

),

documents as (

    select *
    from {{ ref('documents') }}
    where corpus_id <> 'filings'

),

passages as (

    select * from {{ ref('passages') }}

),

gathered as (

    select
        gold_set,
        citations,
        sources
    from stg_predictions

    union all

    select
        cast(null as varchar) as gold_set,
        citations,
        sources
    from py_external_services_asked

),

cited as (

    select
        gold_set,
        {{ unnest_structs('citations') }}
    from gathered

),

ranked as (

    select
        gold_set,
        {{ unnest_structs('sources') }}
    from gathered

),

named as (

    select
        gold_set,
        document,
        document_key,
        page
    from cited
    where document is not null

    union

    select
        gold_set,
        document,
        document_key,
        page
    from ranked
    where document is not null

),

corpora as (

    select corpus_id
    from documents
    group by corpus_id

),

named_in_sets as (

    select
        corpora.corpus_id,
        named.document,
        named.document_key,
        named.page
    from named
    inner join corpora
        on coalesce(named.gold_set, corpora.corpus_id) = corpora.corpus_id
    group by corpora.corpus_id, named.document, named.document_key, named.page

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
        named_in_sets.corpus_id,
        named_in_sets.document,
        named_in_sets.page,
        coalesce(documents.document_id, namesakes.document_id) as document_id
    from named_in_sets
    left join documents
        on
            named_in_sets.corpus_id = documents.corpus_id
            and named_in_sets.document = documents.document_name
    left join documents as namesakes
        on
            named_in_sets.corpus_id = namesakes.corpus_id
            and named_in_sets.document_key = namesakes.name_key
            and namesakes.is_key_unique

)

select
    resolved.corpus_id,
    resolved.document,
    resolved.page,
    resolved.document_id,
    pages.passage_id
from resolved
left join pages
    on
        resolved.document_id = pages.document_id
        and resolved.page = pages.page
where resolved.document_id is not null
