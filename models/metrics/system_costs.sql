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

int_embeddings_priced as (

    select * from {{ ref('int_embeddings_priced') }}

),

items as (

    select
        system_id,
        gold_set,
        item_id,
        {{ exact_sum('latency_ms') }} as latency_ms
    from int_stages_timed
    group by system_id, gold_set, item_id

),

called as (

    select
        system_id,
        item_id,
        count(*) as n_calls,
        count(*) filter (where price_usd is null) as n_unpriced,
        sum(input_tokens) as input_tokens,
        sum(output_tokens) as output_tokens,
        {{ exact_sum('price_usd') }} as price_usd
    from llm_calls
    group by system_id, item_id

),

counted as (

    select
        items.system_id,
        items.gold_set,
        count(*) as n_items,
        count(items.latency_ms) as n_timed,
        quantile_cont(items.latency_ms, 0.5) as latency_p50_ms,
        quantile_cont(items.latency_ms, 0.95) as latency_p95_ms,
        coalesce(sum(called.n_calls), 0) as n_calls,
        coalesce(sum(called.n_unpriced), 0) as n_unpriced,
        coalesce(sum(called.input_tokens), 0) as input_tokens,
        coalesce(sum(called.output_tokens), 0) as output_tokens,
        coalesce({{ exact_sum('called.price_usd') }}, 0) as price_usd
    from items
    left join called
        on
            items.system_id = called.system_id
            and items.item_id = called.item_id
    group by items.system_id, items.gold_set

),

own_systems as (

    select
        registered_systems.system_id,
        int_embeddings_priced.gold_set,
        int_embeddings_priced.query_tokens,
        int_embeddings_priced.usd_per_million,
        case
            when {{ gold_set_is('public', 'int_embeddings_priced.gold_set') }} then null
            else
                int_embeddings_priced.corpus_tokens
                / nullif(int_embeddings_priced.n_filings, 0)
        end as tokens_per_filing
    from registered_systems
    inner join int_embeddings_priced
        on registered_systems.system_id = int_embeddings_priced.system_id
    where registered_systems.system_kind not in ('external_file', 'external_http')

),

-- What another party's system embeds and spends is in no table here.
with_embeddings as (

    select
        counted.*,
        own_systems.usd_per_million / 1000000.0 as usd_per_token,
        own_systems.tokens_per_filing as embedding_tokens_per_filing,
        own_systems.query_tokens / counted.n_items as embedding_tokens_per_query,
        counted.n_unpriced = 0
        and own_systems.usd_per_million is not null as is_cost_known
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
                with_embeddings.price_usd / with_embeddings.n_items
                + with_embeddings.embedding_tokens_per_query
                * with_embeddings.usd_per_token,
                9
            )
    end as cost_usd_per_query,
    with_embeddings.is_cost_known,
    round(with_embeddings.embedding_tokens_per_query, 9)
        as embedding_tokens_per_query,
    round(
        with_embeddings.embedding_tokens_per_query * with_embeddings.usd_per_token, 9
    ) as embedding_cost_usd_per_query,
    round(with_embeddings.embedding_tokens_per_filing, 9)
        as embedding_tokens_per_filing,
    round(
        with_embeddings.embedding_tokens_per_filing * with_embeddings.usd_per_token, 9
    ) as embedding_cost_usd_per_filing
from with_embeddings
cross join runs
