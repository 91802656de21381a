with

runs as (

    select * from {{ ref('runs') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

retrieval_outcomes as (

    select *
    from {{ ref('retrieval_outcomes') }}
    where unit = 'sentence'

),

query_stages as (

    select *
    from {{ ref('query_stages') }}
    where unit = 'sentence'

),

answers as (

    select *
    from {{ ref('answers') }}
    where gold_set = 'p3'

),

llm_calls as (

    select * from {{ ref('llm_calls') }}

),

parts as (

    select
        system_id,
        item_id,
        latency_ms
    from query_stages
    where latency_ms is not null

    union all

    select
        system_id,
        item_id,
        latency_ms
    from answers
    where latency_ms is not null

),

timed as (

    select
        system_id,
        item_id,
        {{ exact_sum('latency_ms') }} as latency_ms
    from parts
    group by system_id, item_id

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
        retrieval_outcomes.system_id,
        retrieval_outcomes.gold_set,
        count(*) as n_items,
        count(timed.latency_ms) as n_timed,
        quantile_cont(timed.latency_ms, 0.5) as latency_p50_ms,
        quantile_cont(timed.latency_ms, 0.95) as latency_p95_ms,
        coalesce(sum(called.n_calls), 0) as n_calls,
        coalesce(sum(called.n_unpriced), 0) as n_unpriced,
        coalesce(sum(called.input_tokens), 0) as input_tokens,
        coalesce(sum(called.output_tokens), 0) as output_tokens,
        coalesce({{ exact_sum('called.price_usd') }}, 0) as price_usd
    from retrieval_outcomes
    left join timed
        on
            retrieval_outcomes.system_id = timed.system_id
            and retrieval_outcomes.item_id = timed.item_id
    left join called
        on
            retrieval_outcomes.system_id = called.system_id
            and retrieval_outcomes.item_id = called.item_id
    group by retrieval_outcomes.system_id, retrieval_outcomes.gold_set

)

select
    counted.system_id || '|' || counted.gold_set as system_cost_id,
    runs.run_id,
    counted.system_id,
    counted.gold_set,
    counted.n_items,
    counted.n_timed,
    counted.latency_p50_ms,
    counted.latency_p95_ms,
    cast(counted.n_calls as bigint) as n_calls,
    cast(counted.input_tokens as bigint) as input_tokens,
    cast(counted.output_tokens as bigint) as output_tokens,
    -- What another party's system spends is not in llm_calls.
    case
        when
            counted.n_unpriced = 0
            and registered_systems.system_kind not in ('external_file', 'external_http')
            then round(counted.price_usd / counted.n_items, 9)
    end as cost_usd_per_query,
    counted.n_unpriced = 0
    and registered_systems.system_kind not in (
        'external_file', 'external_http'
    ) as is_cost_known
from counted
cross join runs
inner join registered_systems
    on counted.system_id = registered_systems.system_id
