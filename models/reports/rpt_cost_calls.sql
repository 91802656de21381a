{#- A sum with an unknown part is unknown. -#}
with

runs as (

    select * from {{ ref('runs') }}

),

llm_calls as (

    select * from {{ ref('llm_calls') }}

),

counted as (

    select
        system_id,
        stage,
        model,
        count(*) as n_calls,
        count(*) filter (where status = 'failed') as n_failed,
        count(*) filter (where n_attempts > 1) as n_repeated,
        count(*) filter (where price_usd is null) as n_unpriced,
        case
            when count(input_tokens) = count(*)
                then cast(sum(input_tokens) as bigint)
        end as input_tokens,
        case
            when count(output_tokens) = count(*)
                then cast(sum(output_tokens) as bigint)
        end as output_tokens,
        case when count(price_usd) = count(*) then {{ exact_sum('price_usd') }} end
            as price_usd
    from llm_calls
    group by system_id, stage, model

)

select
    runs.run_id,
    counted.system_id,
    counted.stage,
    counted.model,
    counted.n_calls,
    counted.n_failed,
    counted.n_repeated,
    counted.input_tokens,
    counted.output_tokens,
    counted.price_usd,
    case when counted.price_usd is null then 'unmeasured' else 'measured' end
        as status,
    case
        when counted.price_usd is null
            then
                cast(counted.n_unpriced as varchar) || ' of the calls have no price: '
                || 'the price list lacks the model, or tokens were not counted.'
    end as why
from counted
cross join runs
