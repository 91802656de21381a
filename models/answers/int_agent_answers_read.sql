{#-
    What agents themselves say at the end of a session, read from the arguments of their answer:
    an agent whose language model answers, a transcript that holds an answer, and any session
    that failed or that was to abstain once a budget was used up. All other sessions are answered
    from the passages that they saw. Arguments that are not such an answer are a failure. The
    time of an answer is that of all requests to the model of its session, as for other models;
    that of the tools stands in query_stages.
-#}
with

agent_steps as (

    select * from {{ ref('agent_steps') }}

),

registered_systems as (

    select *
    from {{ ref('registered_systems') }}
    where system_kind = 'agent'

),

int_answers_expected as (

    select * from {{ ref('int_answers_expected') }}

),

parsed_questions as (

    select * from {{ ref('parsed_questions') }}

),

retrieval_calls as (

    select *
    from {{ ref('retrieval_calls') }}
    where stage = 'agent'

),

asked_for as (

    select
        system_id,
        item_id,
        {{ exact_sum('latency_ms') }} as latency_ms
    from retrieval_calls
    group by system_id, item_id

),

-- What a model wrote may be no JSON at all: that is no reason to stop a build.
ended as (

    select
        agent_steps.system_id,
        agent_steps.gold_set,
        agent_steps.item_id,
        agent_steps.stop_reason,
        agent_steps.failure,
        starts_with(agent_steps.stop_reason, 'forced_')
        and registered_systems.on_budget = 'abstain' as is_given_up,
        registered_systems.policy = 'llm'
        or (
            registered_systems.policy = 'replay'
            and agent_steps.arguments <> '{}'
        ) as is_own_answer,
        case
            when json_valid(agent_steps.arguments)
                then cast(agent_steps.arguments as json)
        end as said
    from agent_steps
    inner join registered_systems
        on agent_steps.system_id = registered_systems.system_id
    semi join int_answers_expected
        on
            agent_steps.system_id = int_answers_expected.system_id
            and agent_steps.item_id = int_answers_expected.item_id
    where agent_steps.tool_name = 'answer'

),

fields as (

    select
        *,
        coalesce(json_type(said) = 'OBJECT', false) as is_readable,
        case
            when json_type(said, '$.answer_text') in ('ARRAY', 'OBJECT')
                then cast(json_extract(said, '$.answer_text') as varchar)
            else nullif(trim(json_extract_string(said, '$.answer_text')), '')
        end as answer_text,
        try_cast(json_extract_string(said, '$.numeric_value') as double)
            as numeric_value,
        nullif(trim(json_extract_string(said, '$.unit')), '') as unit,
        coalesce(json_extract_string(said, '$.abstained') = 'true', false)
            as is_declined,
        case
            when json_type(said, '$.citations') = 'ARRAY'
                then json_extract(said, '$.citations[*]')
        end as citations
    from ended
    where
        is_own_answer
        or is_given_up
        or stop_reason in ('abstained', 'failed')

),

outcomes as (

    select
        *,
        isfinite(numeric_value) as is_figure,
        case
            when stop_reason = 'failed' then 'failed'
            when stop_reason = 'abstained' or is_given_up then 'abstained'
            when not is_readable then 'failed'
            when is_declined then 'abstained'
            when answer_text is null and isfinite(numeric_value) is not true
                then 'failed'
            else 'answered'
        end as outcome
    from fields

)

select
    outcomes.system_id,
    outcomes.gold_set,
    outcomes.item_id,
    outcomes.outcome,
    case
        when outcomes.outcome <> 'failed' then null
        when outcomes.stop_reason = 'failed'
            then coalesce(outcomes.failure, 'the session failed')
        when not outcomes.is_readable
            then 'the arguments of its answer are not a JSON object'
        else 'the session ended without an answer'
    end as failure,
    case
        when outcomes.outcome = 'answered'
            then coalesce(
                outcomes.answer_text,
                case
                    when outcomes.unit <> 'year' and abs(outcomes.numeric_value) < 1e30
                        then
                            {{ amount_text('outcomes.numeric_value', 'outcomes.unit') }}
                end,
                regexp_replace(
                    cast(outcomes.numeric_value as varchar), '\.0$', ''
                )
            )
    end as answer_text,
    parsed_questions.answer_form,
    case
        when outcomes.outcome = 'answered' and outcomes.is_figure
            then outcomes.numeric_value
    end as numeric_value,
    case when outcomes.outcome = 'answered' then outcomes.unit end as unit,
    case when outcomes.outcome = 'answered' then outcomes.citations end as citations,
    asked_for.latency_ms
from outcomes
left join parsed_questions
    on outcomes.item_id = parsed_questions.item_id
left join asked_for
    on
        outcomes.system_id = asked_for.system_id
        and outcomes.item_id = asked_for.item_id
