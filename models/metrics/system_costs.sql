with

runs as (

    select * from {{ ref('runs') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

int_stages_timed as (

    select * from {{ ref('int_stages_timed') }}

),

llm_calls as (

    select * from {{ ref('llm_calls') }}

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

    select * from {{ ref('query_stages') }}

),

agent_steps as (

    select * from {{ ref('agent_steps') }}

),

contexts as (

    select * from {{ ref('contexts') }}

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

timed as (

    select
        system_id,
        gold_set,
        item_id,
        any_value(total_ms) as latency_ms
    from int_stages_timed
    group by system_id, gold_set, item_id

),

called as (

    select
        system_id,
        item_id,
        count(*) as n_calls,
        count(*) filter (where price_usd is null) as n_unpriced,
        count(input_tokens + output_tokens) = count(*) as is_counted,
        sum(input_tokens) as input_tokens,
        sum(output_tokens) as output_tokens,
        {{ exact_sum('price_usd') }} as price_usd
    from llm_calls
    group by system_id, item_id

),

spent as (

    select
        external_predictions.system_id,
        external_predictions.item_id,
        external_predictions.input_tokens,
        external_predictions.output_tokens,
        {{ stated_cost() }} as cost_usd,
        external_predictions.cost_usd is not null as is_stated,
        external_predictions.failure is not null as is_failed
    from external_predictions
    left join llm_prices
        on external_predictions.model = llm_prices.model

),

sessions as (

    select
        system_id,
        item_id,
        max(context_tokens) as n_tokens
    from agent_steps
    group by system_id, item_id

),

contexts_counted as (

    select
        system_id,
        item_id,
        sum(n_tokens) as n_tokens
    from contexts
    group by system_id, item_id

),

-- What was read for a question: by a language model, as its endpoint or its owner
-- counts, or else in the session of an agent or in a context, as the warehouse counts.
-- Where requests were made and one was not counted, nobody knows.
tokens_read as (

    select
        answer_verdicts.system_id,
        answer_verdicts.gold_set,
        answer_verdicts.is_right,
        case
            when called.n_calls > 0
                then
                    case
                        when called.is_counted
                            then called.input_tokens + called.output_tokens
                    end
            when
                external_predictions.input_tokens is not null
                or external_predictions.output_tokens is not null
                then
                    external_predictions.input_tokens
                    + external_predictions.output_tokens
            else coalesce(sessions.n_tokens, contexts_counted.n_tokens)
        end as n_tokens
    from answer_verdicts
    left join called
        on
            answer_verdicts.system_id = called.system_id
            and answer_verdicts.item_id = called.item_id
    left join external_predictions
        on
            answer_verdicts.system_id = external_predictions.system_id
            and answer_verdicts.item_id = external_predictions.item_id
    left join sessions
        on
            answer_verdicts.system_id = sessions.system_id
            and answer_verdicts.item_id = sessions.item_id
    left join contexts_counted
        on
            answer_verdicts.system_id = contexts_counted.system_id
            and answer_verdicts.item_id = contexts_counted.item_id

),

rightly_answered as (

    select
        system_id,
        gold_set,
        count_if(is_right) as n_right,
        -- A sum over the questions that were counted would be too small.
        case
            when count(n_tokens) = count(*)
                then sum(n_tokens) / nullif(count_if(is_right), 0)
        end as tokens_per_right_answer
    from tokens_read
    group by system_id, gold_set

),

counted as (

    select
        timed.system_id,
        timed.gold_set,
        count(*) as n_items,
        count(timed.latency_ms) as n_timed,
        quantile_cont(timed.latency_ms, 0.5) as latency_p50_ms,
        quantile_cont(timed.latency_ms, 0.95) as latency_p95_ms,
        coalesce(sum(called.n_calls), 0) as n_calls,
        coalesce(sum(called.n_unpriced), 0) as n_unpriced,
        coalesce(sum(coalesce(called.input_tokens, spent.input_tokens)), 0)
            as input_tokens,
        coalesce(sum(coalesce(called.output_tokens, spent.output_tokens)), 0)
            as output_tokens,
        coalesce({{ exact_sum('called.price_usd') }}, 0) as price_usd,
        count(*) filter (where spent.is_stated) as n_stated,
        count(spent.cost_usd) as n_spent,
        -- A question that failed may have cost nothing.
        count_if(spent.cost_usd is null and spent.is_failed is not true) as n_unstated,
        {{ exact_mean('spent.cost_usd') }} as mean_spent_usd
    from timed
    left join called
        on
            timed.system_id = called.system_id
            and timed.item_id = called.item_id
    left join spent
        on
            timed.system_id = spent.system_id
            and timed.item_id = spent.item_id
    group by timed.system_id, timed.gold_set

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

-- A question is embedded once for all kinds of passage of a set.
embedded as (

    select *
    from query_stages
    where stage = 'embed'
    qualify unit = min(unit) over (partition by system_id, item_id)

),

-- A query that embeds several forms of a question counts it as often. The vector of an
-- anchor is one of the corpus.
queries_counted as (

    select
        embedded.system_id,
        items.gold_set,
        sum(
            embedded.n_in
            * {{ regex_count('items.question_text', 'token') }}
        ) as n_tokens
    from embedded
    inner join items
        on embedded.item_id = items.item_id
    where items.item_kind = 'question'
    group by embedded.system_id, items.gold_set

),

-- Tokens are counted as the warehouse counts them; a model counts some more. An encoder
-- on this machine costs nothing; one behind an endpoint costs its price, which is not
-- known where it has no row.
embeddings_priced as (

    select
        systems.system_id,
        gold_sets.gold_set,
        corpus.n_filings,
        coalesce(queries_counted.n_tokens, 0) as query_tokens,
        case
            when systems.encoder is null then 0
            else
                texts_counted.n_tokens
                + if(systems.embeds_chunks, chunks_counted.n_tokens, 0)
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

),

own_systems as (

    select
        registered_systems.system_id,
        embeddings_priced.gold_set,
        embeddings_priced.query_tokens,
        embeddings_priced.usd_per_million,
        case
            when {{ gold_set_is('public', 'embeddings_priced.gold_set') }} then null
            else
                embeddings_priced.corpus_tokens
                / nullif(embeddings_priced.n_filings, 0)
        end as tokens_per_filing
    from registered_systems
    inner join embeddings_priced
        on registered_systems.system_id = embeddings_priced.system_id
    where registered_systems.system_kind not in ('external_file', 'external_http')

),

-- What another party's system embeds is in no table here, and what it spends only where
-- it states that.
with_embeddings as (

    select
        counted.*,
        own_systems.usd_per_million / 1000000.0 as usd_per_token,
        own_systems.tokens_per_filing as embedding_tokens_per_filing,
        own_systems.query_tokens / counted.n_items as embedding_tokens_per_query,
        own_systems.system_id is null as is_outside,
        if(
            own_systems.system_id is null,
            counted.n_spent > 0 and counted.n_unstated = 0,
            counted.n_unpriced = 0 and own_systems.usd_per_million is not null
        ) as is_cost_known
    from counted
    left join own_systems
        on
            counted.system_id = own_systems.system_id
            and counted.gold_set = own_systems.gold_set

)

select
    with_embeddings.system_id || '|' || with_embeddings.gold_set as system_cost_id,
    runs.run_id,
    with_embeddings.system_id,
    with_embeddings.gold_set,
    with_embeddings.n_items,
    with_embeddings.n_timed,
    with_embeddings.latency_p50_ms,
    with_embeddings.latency_p95_ms,
    cast(with_embeddings.n_calls as bigint) as n_calls,
    cast(with_embeddings.input_tokens as bigint) as input_tokens,
    cast(with_embeddings.output_tokens as bigint) as output_tokens,
    case
        when with_embeddings.is_cost_known
            then round(
                if(
                    with_embeddings.is_outside,
                    with_embeddings.mean_spent_usd,
                    with_embeddings.price_usd / with_embeddings.n_items
                    + with_embeddings.embedding_tokens_per_query
                    * with_embeddings.usd_per_token
                ),
                9
            )
    end as cost_usd_per_query,
    with_embeddings.is_cost_known,
    case
        when not with_embeddings.is_cost_known then null
        when with_embeddings.n_stated = 0 then 'computed'
        when with_embeddings.n_stated < with_embeddings.n_spent then 'mixed'
        else 'stated'
    end as cost_source,
    round(with_embeddings.embedding_tokens_per_query, 9)
        as embedding_tokens_per_query,
    round(
        with_embeddings.embedding_tokens_per_query * with_embeddings.usd_per_token, 9
    ) as embedding_cost_usd_per_query,
    round(with_embeddings.embedding_tokens_per_filing, 9)
        as embedding_tokens_per_filing,
    round(
        with_embeddings.embedding_tokens_per_filing * with_embeddings.usd_per_token, 9
    ) as embedding_cost_usd_per_filing,
    cast(coalesce(rightly_answered.n_right, 0) as bigint) as n_right,
    round(rightly_answered.tokens_per_right_answer, 9) as tokens_per_right_answer
from with_embeddings
left join rightly_answered
    on
        with_embeddings.system_id = rightly_answered.system_id
        and with_embeddings.gold_set = rightly_answered.gold_set
cross join runs
