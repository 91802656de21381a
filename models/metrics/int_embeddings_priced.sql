{#-
    What embeddings take, by system: tokens of the corpus, each distinct text once, and of the
    texts that its queries embed. They are counted as the warehouse counts them; a model
    counts some more. A query that embeds several forms of a question counts it as often. An
    encoder on this machine costs nothing; one behind an endpoint costs its price, which is
    not known where it has no row.
-#}
with

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

llm_prices as (

    select * from {{ ref('llm_prices') }}

),

filings as (

    select * from {{ ref('filings') }}

),

sentences as (

    select * from {{ ref('sentences') }}

),

chunks as (

    select * from {{ ref('chunks') }}

),

items as (

    select * from {{ ref('items') }}

),

query_stages as (

    select *
    from {{ ref('query_stages') }}
    where stage = 'embed'
    -- A question is embedded once for all kinds of passage of a set.
    qualify unit = min(unit) over (partition by system_id, item_id)

),

systems as (

    select
        registered_systems.system_id,
        registered_systems.encoder,
        coalesce(registered_systems.chunk_vectors = 'encoded', false) as embeds_chunks,
        -- The prompts of a model stand behind its name.
        case
            when starts_with(registered_systems.encoder, 'openai:')
                then split_part(substr(registered_systems.encoder, 8), '?', 1)
        end as paid_model
    from registered_systems

),

corpus as (

    select count(*) as n_filings
    from filings

),

distinct_texts as (

    select
        text_hash,
        max(token_count) as token_count
    from sentences
    group by text_hash

),

texts_counted as (

    select coalesce(sum(token_count), 0) as n_tokens
    from distinct_texts

),

chunks_counted as (

    select coalesce(sum(token_count), 0) as n_tokens
    from chunks

),

gold_sets as (

    select gold_set
    from items
    group by gold_set

),

-- The vector of an anchor is one of the corpus.
queries_counted as (

    select
        query_stages.system_id,
        items.gold_set,
        sum(
            query_stages.n_in
            * {{ regex_count('items.question_text', 'token') }}
        ) as n_tokens
    from query_stages
    inner join items
        on query_stages.item_id = items.item_id
    where items.item_kind = 'question'
    group by query_stages.system_id, items.gold_set

)

select
    systems.system_id,
    gold_sets.gold_set,
    corpus.n_filings,
    coalesce(queries_counted.n_tokens, 0) as query_tokens,
    case
        when systems.encoder is null then 0
        else
            texts_counted.n_tokens
            + case when systems.embeds_chunks then chunks_counted.n_tokens else 0 end
    end as corpus_tokens,
    case
        when systems.paid_model is null then 0
        else llm_prices.input_usd_per_million
    end as usd_per_million
from systems
cross join gold_sets
cross join corpus
cross join texts_counted
cross join chunks_counted
left join queries_counted
    on
        systems.system_id = queries_counted.system_id
        and gold_sets.gold_set = queries_counted.gold_set
left join llm_prices
    on systems.paid_model = llm_prices.model
