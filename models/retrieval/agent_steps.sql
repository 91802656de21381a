{#-
    What agents did, call by call: those that run here, and those of others whose records have
    their steps. A price that no record states is worked out from tokens, as in llm_calls; a model
    without a price has none that is known.
-#}
with

py_agents_run as (

    select * from {{ ref('py_agents_run') }}

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

llm_prices as (

    select * from {{ ref('llm_prices') }}

),

runs as (

    select * from {{ ref('runs') }}

),

-- Passages of several kinds are ranked for one session; its steps stand with one kind.
sessions as (

    select
        py_agents_run.system_id,
        py_agents_run.gold_set,
        py_agents_run.item_id,
        case
            when starts_with(registered_systems.answerer, 'openai:')
                then substr(registered_systems.answerer, 8)
        end as model,
        py_agents_run.steps
    from py_agents_run
    inner join registered_systems
        on py_agents_run.system_id = registered_systems.system_id
    where py_agents_run.steps is not null

    union all

    select
        system_id,
        gold_set,
        item_id,
        model,
        steps
    from external_predictions
    where steps is not null

),

stepped as (

    select
        system_id,
        gold_set,
        item_id,
        model,
        {{ unnest_structs('steps') }}
    from sessions

)

select
    md5(concat_ws(
        '|',
        stepped.system_id,
        stepped.item_id,
        cast(stepped.turn_pos as varchar),
        cast(stepped.call_pos as varchar)
    )) as agent_step_id,
    runs.run_id,
    stepped.system_id,
    stepped.gold_set,
    stepped.item_id,
    stepped.turn_pos,
    stepped.call_pos,
    stepped.tool_name,
    stepped.arguments,
    stepped.status,
    stepped.stop_reason,
    stepped.result_ids,
    stepped.result_scores,
    stepped.passage_ids,
    stepped.n_new,
    stepped.observation_tokens,
    stepped.context_tokens,
    stepped.input_tokens,
    stepped.output_tokens,
    coalesce(stepped.price_usd, {{ token_price('stepped') }}) as price_usd,
    stepped.latency_ms,
    stepped.call_id,
    stepped.is_changed,
    stepped.failure
from stepped
left join llm_prices
    on stepped.model = llm_prices.model
cross join runs
