{#-
    All that a system under test may know of what it is asked: of an anchor the sentence or cell
    that it is, of a question the words, and the document where a set hands one over. No company, year
    or answer. The name of a document leads to the one that was loaded, if one was.
-#}
with

anchors as (

    select * from {{ ref('anchors') }}

),

gold_p3 as (

    select * from {{ ref('gold_p3') }}

),

py_questions_paraphrased as (

    select * from {{ ref('py_questions_paraphrased') }}

),

stg_benchmarks__questions as (

    select * from {{ ref('stg_benchmarks__questions') }}

),

documents as (

    select * from {{ ref('documents') }}

)

select
    item_id,
    gold_set,
    'anchor' as item_kind,
    'filings' as corpus_id,
    cast(null as varchar) as document_id,
    coalesce(cell_id, sentence_id) as passage_id,
    coalesce(cell_id, sentence_id) as question_id,
    sentence_text as question_text,
    cast(null as varchar) as dialogue_id,
    cast(null as integer) as turn,
    cast(null as varchar) as variant_of,
    cast(null as varchar) as gold_version
from anchors

union all

select
    {{ p3_gold_set('gold_p3.category') }} || ':' || gold_p3.question_id as item_id,
    {{ p3_gold_set('gold_p3.category') }} as gold_set,
    'question' as item_kind,
    'filings' as corpus_id,
    cast(null as varchar) as document_id,
    cast(null as varchar) as passage_id,
    gold_p3.question_id,
    gold_p3.question_text,
    cast(null as varchar) as dialogue_id,
    cast(null as integer) as turn,
    py_questions_paraphrased.question_id as variant_of,
    gold_p3.gold_version
from gold_p3
left join py_questions_paraphrased
    on
        gold_p3.question_id = py_questions_paraphrased.variant_id
        and py_questions_paraphrased.is_accepted

union all

select
    stg_benchmarks__questions.benchmark || ':' || stg_benchmarks__questions.question_id
        as item_id,
    stg_benchmarks__questions.benchmark as gold_set,
    'question' as item_kind,
    stg_benchmarks__questions.benchmark as corpus_id,
    coalesce(
        documents.document_id,
        namesakes.document_id,
        {{ set_key(
            'stg_benchmarks__questions.benchmark', 'stg_benchmarks__questions.document_id'
        ) }}
    ) as document_id,
    cast(null as varchar) as passage_id,
    stg_benchmarks__questions.question_id,
    stg_benchmarks__questions.question_text,
    stg_benchmarks__questions.dialogue_id,
    stg_benchmarks__questions.turn,
    cast(null as varchar) as variant_of,
    cast(null as varchar) as gold_version
from stg_benchmarks__questions
left join documents
    on
        stg_benchmarks__questions.benchmark = documents.corpus_id
        and stg_benchmarks__questions.document_id = documents.document_name
left join documents as namesakes
    on
        stg_benchmarks__questions.benchmark = namesakes.corpus_id
        and stg_benchmarks__questions.document_key = namesakes.name_key
        and namesakes.is_key_unique
