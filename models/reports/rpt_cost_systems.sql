with

system_costs as (

    select * from {{ ref('system_costs') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

placed as (

    select
        system_costs.*,
        registered_systems.system_kind,
        registered_systems.regime,
        registered_systems.is_null,
        registered_systems.reranker,
        registered_systems.answerer,
        registered_systems.asks,
        registered_systems.description,
        registered_systems.system_kind in ('external_file', 'external_http')
            as is_external
    from system_costs
    inner join registered_systems
        on system_costs.system_id = registered_systems.system_id

)

select
    system_cost_id,
    run_id,
    system_id,
    system_kind,
    regime,
    is_null,
    reranker,
    answerer,
    description,
    gold_set,
    n_items,
    n_timed,
    latency_p50_ms,
    latency_p95_ms,
    case
        when n_timed = 0 then 'unmeasured'
        when n_timed < n_items then 'too_few'
        else 'measured'
    end as latency_status,
    case
        when n_timed = n_items and n_items > 0 then null
        when n_timed > 0 then 'Some queries have no time; the figures are of the rest.'
        when is_external then 'The system gave no times.'
        when gold_set in ('p1', 'p2')
            then 'Anchors are searched all at once: a single query has no time.'
        else 'Nothing was timed.'
    end as latency_why,
    n_calls,
    input_tokens,
    output_tokens,
    cost_usd_per_query,
    is_cost_known,
    case when is_cost_known then 'measured' else 'unmeasured' end as cost_status,
    case
        when is_cost_known and n_calls = 0 and embedding_cost_usd_per_query > 0
            then 'Price of the embeddings of the queries.'
        when is_cost_known and n_calls = 0
            then 'No language model was asked; machine time has no price here.'
        when is_cost_known then 'Sum of the prices of all calls over the queries.'
        when is_external then 'What another party''s system spends is not known here.'
        when
            embedding_tokens_per_query > 0
            and embedding_cost_usd_per_query is null
            then 'The encoder has no price.'
        else 'A call has no price: its model or its token count is missing.'
    end as cost_why
from placed
