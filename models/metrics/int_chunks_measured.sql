{#-
    Whether an agent's searches can find every chunk of the filings that has words: the semantic
    search by a usable vector of one of its rankable sentences, the keyword search by a word of
    one that BM25 indexes, which is two letters or digits and no stop word. A chunk counts if
    each search that the agent has can find it. What stands in no filing is not counted.
-#}
with

registered_systems as (

    select *
    from {{ ref('registered_systems') }}
    where system_kind = 'agent'

),

chunks as (

    select * from {{ ref('chunks') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

passages as (

    select *
    from {{ ref('passages') }}
    where
        unit = 'sentence'
        and is_rankable

),

embeddings as (

    select * from {{ ref('embeddings') }}

),

chunked as (

    select
        chunks.chunk_id,
        sentences.text_hash,
        len(list_filter(
            regexp_extract_all(
                lower(sentences.sentence_text),
                {{ sql_literal(var('regexes')['indexed_word']) }}
            ),
            lambda word: word not in ({{ sql_literals(var('stop_words')) }})
        )) > 0 as has_indexed_word
    from chunks
    inner join sentences
        on
            chunks.section_id = sentences.section_id
            and chunks.first_sentence_pos <= sentences.sentence_pos
            and chunks.first_sentence_pos + chunks.n_sentences
            > sentences.sentence_pos
    inner join passages
        on sentences.sentence_id = passages.passage_id

),

with_words as (

    select chunk_id
    from chunked
    where has_indexed_word
    group by chunk_id

),

encoded as (

    select
        embeddings.encoder,
        chunked.chunk_id
    from embeddings
    inner join chunked
        on embeddings.text_hash = chunked.text_hash
    where {{ is_unit_vector('embeddings.vector') }}
    group by embeddings.encoder, chunked.chunk_id

),

worded as (

    select chunks.chunk_id
    from chunks
    where {{ regex_is('chunks.chunk_text', 'has_word') }}

)

select
    registered_systems.system_id,
    'chunks_in_index' as metric,
    cast(
        count_if(
            (registered_systems.encoder is null or encoded.chunk_id is not null)
            and (
                not contains(registered_systems.tools, 'keyword_search')
                or with_words.chunk_id is not null
            )
        ) as double
    ) as n_true,
    count(*) as n_asked
from registered_systems
cross join worded
left join encoded
    on
        registered_systems.encoder = encoded.encoder
        and worded.chunk_id = encoded.chunk_id
left join with_words
    on worded.chunk_id = with_words.chunk_id
group by registered_systems.system_id
