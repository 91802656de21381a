with

runs as (

    select * from {{ ref('runs') }}

),

answers as (

    select * from {{ ref('answers') }}

),

llm_calls as (

    select * from {{ ref('llm_calls') }}

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

llm_prices as (

    select * from {{ ref('llm_prices') }}

),

items as (

    select * from {{ ref('items') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

judged as (

    select
        system_id,
        gold_set,
        count(*) filter (where is_right) as n_right,
        count(*) filter (where not is_right) as n_wrong
    from answer_verdicts
    group by system_id, gold_set

),

described as (

    select
        system_id,
        gold_set,
        count(*) as n_asked,
        count(*) filter (where outcome = 'answered') as n_answered,
        count(*) filter (where outcome = 'abstained') as n_abstained,
        count(*) filter (where outcome = 'failed') as n_failed,
        count(*) filter (where outcome = 'not_run') as n_not_run,
        cast(sum(n_citations) as bigint) as n_citations,
        cast(sum(n_invalid_citations) as bigint) as n_invalid_citations
    from answers
    group by system_id, gold_set

),

-- Questions with the same request share a call, which is paid once; what was never sent
-- is no call.
paid as (

    select
        llm_calls.system_id,
        llm_calls.call_id,
        min(items.gold_set) as gold_set,
        min(llm_calls.status) as status,
        max(llm_calls.input_tokens) as input_tokens,
        max(llm_calls.output_tokens) as output_tokens,
        max(llm_calls.price_usd) as price_usd
    from llm_calls
    inner join items
        on llm_calls.item_id = items.item_id
    where llm_calls.n_attempts > 0
    group by llm_calls.system_id, llm_calls.call_id

),

-- A call whose price is not known makes the whole cost unknown, not cheaper.
called as (

    select
        system_id,
        gold_set,
        count(*) as n_calls,
        count(*) filter (where status = 'failed') as n_failed_calls,
        cast(sum(input_tokens) as bigint) as input_tokens,
        cast(sum(output_tokens) as bigint) as output_tokens,
        case
            when count(*) filter (where status = 'ok' and price_usd is null) = 0
                then {{ exact_sum('price_usd') }}
        end as price_usd
    from paid
    group by system_id, gold_set

),

-- An outside system tells itself what it spent.
spent as (

    select
        external_predictions.system_id,
        external_predictions.gold_set,
        cast(sum(external_predictions.input_tokens) as bigint) as input_tokens,
        cast(sum(external_predictions.output_tokens) as bigint) as output_tokens,
        case
            when count({{ stated_cost() }}) = count(*)
                then {{ exact_sum(stated_cost()) }}
        end as price_usd
    from external_predictions
    left join llm_prices
        on external_predictions.model = llm_prices.model
    group by external_predictions.system_id, external_predictions.gold_set

),

-- A system that only ranks may call a model as well.
listed as (

    select
        system_id,
        gold_set
    from described

    union

    select
        system_id,
        gold_set
    from called

)

select
    runs.run_id,
    listed.system_id,
    listed.gold_set,
    -- What stands beside the systems without being registered knows nothing either.
    coalesce(registered_systems.is_null, true) as is_null,
    coalesce(described.n_asked, 0) as n_asked,
    coalesce(described.n_answered, 0) as n_answered,
    coalesce(described.n_abstained, 0) as n_abstained,
    coalesce(described.n_failed, 0) as n_failed,
    coalesce(described.n_not_run, 0) as n_not_run,
    coalesce(judged.n_right, 0) as n_right,
    coalesce(judged.n_wrong, 0) as n_wrong,
    coalesce(described.n_citations, 0) as n_citations,
    coalesce(described.n_invalid_citations, 0) as n_invalid_citations,
    coalesce(called.n_calls, 0) as n_calls,
    coalesce(called.n_failed_calls, 0) as n_failed_calls,
    coalesce(called.input_tokens, spent.input_tokens) as input_tokens,
    coalesce(called.output_tokens, spent.output_tokens) as output_tokens,
    coalesce(called.price_usd, spent.price_usd) as price_usd
from listed
cross join runs
left join registered_systems
    on listed.system_id = registered_systems.system_id
left join described
    on
        listed.system_id = described.system_id
        and listed.gold_set = described.gold_set
left join judged
    on
        listed.system_id = judged.system_id
        and listed.gold_set = judged.gold_set
left join called
    on
        listed.system_id = called.system_id
        and listed.gold_set = called.gold_set
left join spent
    on
        listed.system_id = spent.system_id
        and listed.gold_set = spent.gold_set
