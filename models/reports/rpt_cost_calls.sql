{#-
    Calls of language models, counted by system, stage and model. Never empty: with no call
    there is one row that says so. A sum with an unknown part is unknown.
-#}
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
    case
        when counted.system_id is null then 'none'
        else concat_ws('|', counted.system_id, counted.stage, counted.model)
    end as row_id,
    runs.run_id,
    counted.system_id,
    counted.stage,
    counted.model,
    coalesce(counted.n_calls, 0) as n_calls,
    coalesce(counted.n_failed, 0) as n_failed,
    coalesce(counted.n_repeated, 0) as n_repeated,
    counted.input_tokens,
    counted.output_tokens,
    counted.price_usd,
    case
        when counted.system_id is null then 'not_applicable'
        when counted.price_usd is null then 'unmeasured'
        else 'measured'
    end as status,
    case
        when counted.system_id is null then 'No language model was asked.'
        when counted.price_usd is null
            then
                cast(counted.n_unpriced as varchar) || ' of the calls have no price: '
                || 'the price list lacks the model, or tokens were not counted.'
    end as why
from runs
left join counted
    on true
