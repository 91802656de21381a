{#-
    What a system did for a question, step by step: stages of its search, calls of an agent (which
    stand in place of the stage that sums them), and the answer. Each starts where the one before
    it ended; nothing does if a step was not timed. What an outside system states as its time
    is the time of all steps: the answer has what the stages leave of it, and nothing starts
    anywhere if they come to more, as they overlap.
-#}
with

rpt_question_answers as (

    select *
    from {{ ref('rpt_question_answers') }}
    where not is_null

),

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

query_stages as (

    select * from {{ ref('query_stages') }}

),

rpt_question_steps as (

    select * from {{ ref('rpt_question_steps') }}

),

llm_calls as (

    select * from {{ ref('llm_calls') }}

),

-- A sum with an unknown part is unknown.
paid as (

    select
        system_id,
        item_id,
        stage,
        case
            when count(input_tokens) = count(*) then cast(sum(input_tokens) as bigint)
        end as input_tokens,
        case
            when count(output_tokens) = count(*)
                then cast(sum(output_tokens) as bigint)
        end as output_tokens,
        case when count(price_usd) = count(*) then sum(price_usd) end as price_usd
    from llm_calls
    group by system_id, item_id, stage

),

agents as (

    select
        page_id,
        system_id
    from rpt_question_steps
    group by page_id, system_id

),

-- A question is embedded once for all kinds of passages; each search repeats that
-- time.
stages as (

    select
        rpt_question_answers.page_id,
        query_stages.*,
        int_questions_shown.item_id as asked_id,
        agents.system_id is not null as is_agent
    from query_stages
    inner join int_questions_shown
        on query_stages.item_id = int_questions_shown.item_id
    inner join rpt_question_answers
        on
            int_questions_shown.page_id = rpt_question_answers.page_id
            and query_stages.system_id = rpt_question_answers.system_id
    left join agents
        on
            int_questions_shown.page_id = agents.page_id
            and query_stages.system_id = agents.system_id
    qualify
        query_stages.stage <> 'embed'
        or query_stages.unit = min(query_stages.unit) over (
            partition by
                query_stages.system_id, query_stages.item_id, query_stages.stage
        )

),

steps as (

    select
        stages.page_id,
        stages.system_id,
        'stage' as kind,
        0 as part_pos,
        stages.unit,
        stages.stage_pos as place,
        stages.stage as step_text,
        cast(null as varchar) as arguments_text,
        cast(null as integer) as turn_pos,
        stages.n_in,
        stages.n_out,
        cast(null as bigint) as n_new,
        cast(null as integer) as n_gold,
        cast(null as bigint) as observation_tokens,
        cast(null as bigint) as context_tokens,
        paid.input_tokens,
        paid.output_tokens,
        paid.price_usd,
        cast(null as varchar) as status,
        false as is_changed,
        cast(null as varchar) as failure_text,
        stages.latency_ms,
        false as is_outside
    from stages
    left join paid
        on
            stages.system_id = paid.system_id
            and stages.asked_id = paid.item_id
            and stages.stage = paid.stage
    where not (stages.is_agent and stages.stage = 'search')

    union all

    select
        page_id,
        system_id,
        'call' as kind,
        1 as part_pos,
        '' as unit,
        step_pos as place,
        tool_text as step_text,
        arguments_text,
        turn_pos,
        cast(null as bigint) as n_in,
        case when stop_reason is null then cast(n_results as bigint) end as n_out,
        case when stop_reason is null then n_new end as n_new,
        n_gold,
        observation_tokens,
        context_tokens,
        input_tokens,
        output_tokens,
        price_usd,
        coalesce(stop_reason, status) as status,
        is_changed,
        failure_text,
        -- The end of a session calls no tool.
        case when tool_text = 'answer' then 0 else latency_ms end as latency_ms,
        false as is_outside
    from rpt_question_steps

    union all

    select
        rpt_question_answers.page_id,
        rpt_question_answers.system_id,
        'answer' as kind,
        2 as part_pos,
        '' as unit,
        0 as place,
        'answer' as step_text,
        cast(null as varchar) as arguments_text,
        cast(null as integer) as turn_pos,
        rpt_question_answers.n_context as n_in,
        rpt_question_answers.n_citations as n_out,
        cast(null as bigint) as n_new,
        cast(null as integer) as n_gold,
        cast(null as bigint) as observation_tokens,
        cast(null as bigint) as context_tokens,
        -- What an outside system reports is of the whole of it.
        case
            when rpt_question_answers.n_calls = 0
                then rpt_question_answers.input_tokens
            else paid.input_tokens
        end as input_tokens,
        case
            when rpt_question_answers.n_calls = 0
                then rpt_question_answers.output_tokens
            else paid.output_tokens
        end as output_tokens,
        case
            when rpt_question_answers.n_calls = 0
                then rpt_question_answers.price_usd
            else paid.price_usd
        end as price_usd,
        rpt_question_answers.outcome as status,
        false as is_changed,
        rpt_question_answers.error as failure_text,
        rpt_question_answers.latency_ms,
        rpt_question_answers.system_kind in ('external_file', 'external_http')
            as is_outside
    from rpt_question_answers
    inner join int_questions_shown
        on rpt_question_answers.page_id = int_questions_shown.page_id
    left join paid
        on
            rpt_question_answers.system_id = paid.system_id
            and int_questions_shown.item_id = paid.item_id
            and paid.stage = 'answer'

),

parts as (

    select
        *,
        coalesce(sum(latency_ms) filter (where kind <> 'answer') over whole, 0)
            as parts_ms,
        count(*) filter (where kind <> 'answer') over whole as n_parts,
        count(latency_ms) filter (where kind <> 'answer') over whole as n_timed,
        max(latency_ms) filter (where is_outside) over whole as stated_ms
    from steps
    window whole as (partition by page_id, system_id)

),

spans as (

    select
        * exclude (latency_ms),
        case
            when is_outside is not true then latency_ms
            when n_timed < n_parts then null
            -- Without a total the parts are the whole.
            when stated_ms is null then if(n_parts > 0, 0, null)
            else greatest(stated_ms - parts_ms, 0)
        end as latency_ms
    from parts

),

timed as (

    select
        *,
        row_number() over so_far as step_pos,
        count(latency_ms) over whole = count(*) over whole
        and coalesce(parts_ms <= stated_ms, true) as is_timed,
        sum(latency_ms) over so_far - latency_ms as started_ms,
        sum(latency_ms) over whole as summed_ms
    from spans
    window
        whole as (partition by page_id, system_id),
        so_far as (
            partition by page_id, system_id
            order by part_pos, unit, place
            rows between unbounded preceding and current row
        )

)

select
    page_id,
    system_id,
    cast(step_pos as integer) as step_pos,
    kind,
    unit,
    step_text,
    arguments_text,
    turn_pos,
    n_in,
    n_out,
    n_new,
    n_gold,
    observation_tokens,
    context_tokens,
    input_tokens,
    output_tokens,
    price_usd,
    status,
    is_changed,
    failure_text,
    latency_ms,
    case when is_timed then started_ms end as started_ms,
    coalesce(stated_ms, case when is_timed then summed_ms end) as total_ms
from timed
order by page_id, system_id, step_pos
