with

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

answers as (

    select * from {{ ref('answers') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

retrieval_outcomes as (

    select * from {{ ref('retrieval_outcomes') }}

),

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

numeric_verdicts as (

    select * from {{ ref('numeric_verdicts') }}

),

answer_failures as (

    select * from {{ ref('answer_failures') }}

),

failure_kinds as (

    select * from {{ ref('failure_kinds') }}

),

rankings as (

    select * from {{ ref('rankings') }}

),

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        grade > 0
        and mapping = 'mapped'
        and evidence_kind <> 'operand'

),

llm_calls as (

    select * from {{ ref('llm_calls') }}

),

llm_prices as (

    select * from {{ ref('llm_prices') }}

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

judged as (

    select
        answer_verdicts.system_id,
        answer_verdicts.item_id,
        case
            when answer_verdicts.is_right then 'right'
            when not answer_verdicts.is_right then 'wrong'
            else 'not judged'
        end as judgement,
        metric_catalogue.label as judged_by
    from answer_verdicts
    left join metric_catalogue
        on
            answer_verdicts.metric = metric_catalogue.metric
            and answer_verdicts.k = metric_catalogue.k
            and answer_verdicts.unit = metric_catalogue.unit
            and answer_verdicts.mode = metric_catalogue.mode

),

-- Of a public set a system may rank several kinds of passages.
searches as (

    select
        system_id,
        gold_set,
        item_id,
        min(failure) as failure,
        cast(sum(n_ranked) as bigint) as n_ranked
    from retrieval_outcomes
    group by system_id, gold_set, item_id

),

first_gold as (

    select
        rankings.system_id,
        rankings.gold_set,
        rankings.item_id,
        min(rankings.rank) as first_gold_rank
    from rankings
    inner join judgments
        on
            rankings.gold_set = judgments.gold_set
            and rankings.item_id = judgments.item_id
            and rankings.passage_id = judgments.passage_id
    group by rankings.system_id, rankings.gold_set, rankings.item_id

),

-- A call that several questions share is shown at each; the sums are on the cost page.
calls as (

    select
        system_id,
        item_id,
        count(distinct call_id) as n_calls,
        -- A sum with an unknown part is unknown.
        case
            when count(input_tokens) = count(*) then cast(sum(input_tokens) as bigint)
        end as input_tokens,
        case
            when count(output_tokens) = count(*)
                then cast(sum(output_tokens) as bigint)
        end as output_tokens,
        case when count(price_usd) = count(*) then sum(price_usd) end as price_usd
    from llm_calls
    group by system_id, item_id

)

select
    int_questions_shown.page_id,
    answers.system_id,
    registered_systems.system_kind,
    registered_systems.description as system_description,
    registered_systems.is_null,
    registered_systems.role,
    answers.outcome,
    judged.judgement,
    judged.judged_by,
    -- Declining is right where nothing is disclosed, and wrong anywhere else.
    replace(answers.outcome, '_', ' ') || ', ' || judged.judgement as result,
    case
        when answers.outcome in ('failed', 'not_run') then answers.outcome
        when answers.outcome <> 'abstained' then judged.judgement
        when judged.judgement = 'right' then 'rightly declined'
        else 'declined'
    end as mark,
    coalesce(answers.failure, searches.failure) as error,
    answers.answer_text,
    answers.answer_form,
    answers.numeric_value,
    answers.unit,
    numeric_verdicts.verdict,
    numeric_verdicts.reason as verdict_reason,
    failure_kinds.stage as failure_stage,
    answer_failures.failure,
    answer_failures.detail as failure_detail,
    failure_kinds.description as failure_means,
    failure_kinds.remedy as failure_remedy,
    answers.support,
    answers.n_context,
    answers.n_citations,
    answers.n_invalid_citations,
    searches.n_ranked,
    cast(first_gold.first_gold_rank as integer) as first_gold_rank,
    answers.latency_ms,
    coalesce(calls.n_calls, 0) as n_calls,
    coalesce(calls.input_tokens, external_predictions.input_tokens) as input_tokens,
    coalesce(calls.output_tokens, external_predictions.output_tokens)
        as output_tokens,
    coalesce(calls.price_usd, {{ stated_cost() }}) as price_usd
from answers
inner join int_questions_shown
    on answers.item_id = int_questions_shown.item_id
inner join registered_systems
    on answers.system_id = registered_systems.system_id
left join searches
    on
        answers.system_id = searches.system_id
        and answers.gold_set = searches.gold_set
        and answers.item_id = searches.item_id
inner join judged
    on
        answers.system_id = judged.system_id
        and answers.item_id = judged.item_id
left join numeric_verdicts
    on
        answers.system_id = numeric_verdicts.system_id
        and answers.gold_set = numeric_verdicts.gold_set
        and answers.item_id = numeric_verdicts.item_id
left join answer_failures
    on
        answers.system_id = answer_failures.system_id
        and answers.gold_set = answer_failures.gold_set
        and answers.item_id = answer_failures.item_id
left join failure_kinds
    on answer_failures.failure = failure_kinds.failure
left join first_gold
    on
        answers.system_id = first_gold.system_id
        and answers.gold_set = first_gold.gold_set
        and answers.item_id = first_gold.item_id
left join calls
    on
        answers.system_id = calls.system_id
        and answers.item_id = calls.item_id
left join external_predictions
    on
        answers.system_id = external_predictions.system_id
        and answers.gold_set = external_predictions.gold_set
        and answers.item_id = external_predictions.item_id
left join llm_prices
    on external_predictions.model = llm_prices.model
order by int_questions_shown.page_id, registered_systems.is_null, answers.system_id
