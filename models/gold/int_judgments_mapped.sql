{#-
    What a set names as evidence, led to the passage it means. A page that a judgment names by
    document and number is the page of that number; how near another page counts is a matter of
    the metric.
-#}
with

stg_benchmarks__judgments as (

    select * from {{ ref('stg_benchmarks__judgments') }}

),

items as (

    select * from {{ ref('items') }}

),

documents as (

    select * from {{ ref('documents') }}

),

passages as (

    select * from {{ ref('passages') }}

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

-- A name in words means the documents whose names have all of them; so does a name
-- that several documents have.
worded as (

    select
        stg_benchmarks__judgments.benchmark,
        stg_benchmarks__judgments.document,
        min(documents.document_id) as document_id,
        count(distinct documents.document_id) as n_documents
    from stg_benchmarks__judgments
    inner join documents
        on
            stg_benchmarks__judgments.benchmark = documents.corpus_id
            and (
                stg_benchmarks__judgments.document_key = documents.name_key
                or (
                    {{ list_length('stg_benchmarks__judgments.document_words') }} > 0
                    and list_has_all(
                        documents.name_words, stg_benchmarks__judgments.document_words
                    )
                )
            )
    group by stg_benchmarks__judgments.benchmark, stg_benchmarks__judgments.document

),

named as (

    select
        stg_benchmarks__judgments.*,
        coalesce(
            documents.document_id,
            namesakes.document_id,
            case when worded.n_documents = 1 then worded.document_id end
        ) as document_id,
        case
            when coalesce(documents.document_id, namesakes.document_id) is not null
                then 1
            else coalesce(worded.n_documents, 0)
        end as n_documents
    from stg_benchmarks__judgments
    left join documents
        on
            stg_benchmarks__judgments.benchmark = documents.corpus_id
            and stg_benchmarks__judgments.document = documents.document_name
    left join documents as namesakes
        on
            stg_benchmarks__judgments.benchmark = namesakes.corpus_id
            and stg_benchmarks__judgments.document_key = namesakes.name_key
            and namesakes.is_key_unique
    left join worded
        on
            stg_benchmarks__judgments.benchmark = worded.benchmark
            and stg_benchmarks__judgments.document = worded.document

),

placed as (

    select
        named.*,
        coalesce(
            {{ set_key('named.benchmark', 'named.passage_id') }}, pages.passage_id
        ) as named_passage_id
    from named
    left join pages
        on
            named.document_id = pages.document_id
            and named.page = pages.page

)

select
    placed.benchmark as gold_set,
    placed.benchmark || ':' || placed.question_id as item_id,
    placed.reference,
    placed.space as unit,
    placed.document,
    placed.page,
    placed.document_id,
    placed.grade,
    placed.named_passage_id,
    case when items.item_id is not null then passages.passage_id end as passage_id,
    case
        when items.item_id is null then null
        when passages.is_rankable then passages.passage_id
        else passages.parent_id
    end as found_by_passage_id,
    case
        when items.item_id is null then 'no such question'
        when passages.passage_id is not null then 'mapped'
        when placed.document is null and placed.named_passage_id is not null
            then 'the passage was not loaded'
        when placed.document is null then 'the set names no place'
        when placed.n_documents > 1 then 'the name of the document is not clear'
        when placed.document_id is null then 'the document was not loaded'
        when placed.page is null then 'the set names no page'
        else 'the document has no such page'
    end as mapping
from placed
left join passages
    on placed.named_passage_id = passages.passage_id
left join items
    on placed.benchmark || ':' || placed.question_id = items.item_id
