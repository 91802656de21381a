with

int_questions_shown as (

    select * from {{ ref('int_questions_shown') }}

),

agent_steps as (

    select * from {{ ref('agent_steps') }}

),

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        grade > 0
        and mapping = 'mapped'
        and evidence_kind <> 'operand'

),

judged as (

    select
        item_id,
        passage_id
    from judgments
    group by item_id, passage_id

),

showed as (

    select
        agent_step_id,
        item_id,
        unnest(passage_ids) as passage_id
    from agent_steps

),

found as (

    select
        showed.agent_step_id,
        count(distinct showed.passage_id) as n_gold
    from showed
    inner join judged
        on
            showed.item_id = judged.item_id
            and showed.passage_id = judged.passage_id
    group by showed.agent_step_id

),

placed as (

    select
        agent_steps.*,
        int_questions_shown.page_id,
        row_number() over so_far as step_pos,
        -- Where one call was not timed, nobody knows when the next one began. An answer
        -- calls no tool.
        count(agent_steps.latency_ms) over whole
        = count(*) filter (where agent_steps.tool_name <> 'answer') over whole
            as is_timed,
        sum(agent_steps.latency_ms) over so_far
        - coalesce(agent_steps.latency_ms, 0) as started_ms,
        sum(agent_steps.latency_ms) over whole as session_ms
    from agent_steps
    inner join int_questions_shown
        on agent_steps.item_id = int_questions_shown.item_id
    window
        whole as (
            partition by
                int_questions_shown.page_id,
                agent_steps.system_id
        ),
        so_far as (
            partition by
                int_questions_shown.page_id,
                agent_steps.system_id
            order by agent_steps.turn_pos, agent_steps.call_pos
            rows between unbounded preceding and current row
        )

)

select
    placed.page_id,
    placed.system_id,
    cast(placed.step_pos as integer) as step_pos,
    placed.turn_pos,
    placed.call_pos,
    placed.tool_name as tool_text,
    placed.arguments as arguments_text,
    placed.status,
    placed.stop_reason,
    cast(len(placed.result_ids) as integer) as n_results,
    placed.n_new,
    cast(coalesce(found.n_gold, 0) as integer) as n_gold,
    placed.observation_tokens,
    placed.context_tokens,
    placed.input_tokens,
    placed.output_tokens,
    placed.price_usd,
    placed.latency_ms,
    case when placed.is_timed then placed.started_ms end as started_ms,
    case when placed.is_timed then placed.session_ms end as session_ms,
    placed.is_changed,
    placed.failure as failure_text
from placed
left join found
    on placed.agent_step_id = found.agent_step_id
order by placed.page_id, placed.system_id, placed.turn_pos, placed.call_pos
