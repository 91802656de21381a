{#-
    What sessions of agents saw of the evidence, turn by turn and tool by tool, and what they
    took for it. Several passages may stand for one piece of evidence, and its unit is that of
    the judgment: a row that was shown holds its cells. A session that broke off counts with
    what it saw; one that failed before its first call has failed.
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

retrieval_outcomes as (

    select * from {{ ref('retrieval_outcomes') }}

),

answers as (

    select * from {{ ref('answers') }}

),

answer_verdicts as (

    select * from {{ ref('answer_verdicts') }}

),

judgments as (

    select *
    from {{ ref('judgments') }}
    where
        evidence_kind = 'text'
        and grade > 0
        and mapping = 'mapped'

),

metric_catalogue as (

    select *
    from {{ ref('metric_catalogue') }}
    where measured_by = 'steps'

),

evidence_counted as (

    select
        item_id,
        count(distinct unit || ' ' || evidence_id) as n_evidence
    from judgments
    group by item_id

),

sessions as (

    select
        system_id,
        gold_set,
        item_id,
        count(*) filter (where tool_name <> 'answer') as n_calls,
        count(distinct turn_pos) filter (where tool_name <> 'answer') as n_turns,
        count(*) filter (where status in ('repeated', 'already_read')) as n_repeats,
        max(context_tokens) as context_tokens,
        coalesce(bool_or(starts_with(stop_reason, 'forced_')), false) as is_forced,
        coalesce(bool_or(stop_reason = 'failed'), false) as is_failed
    from agent_steps
    group by system_id, gold_set, item_id

),

-- Outside systems with a session in a set are asked all of it, as for their answers.
sets_begun as (

    select
        system_id,
        gold_set
    from sessions
    anti join registered_systems
        on sessions.system_id = registered_systems.system_id
    group by system_id, gold_set

),

asked as (

    select
        retrieval_outcomes.system_id,
        retrieval_outcomes.gold_set,
        retrieval_outcomes.item_id,
        bool_or(retrieval_outcomes.outcome = 'failed') as is_failed
    from retrieval_outcomes
    inner join registered_systems
        on retrieval_outcomes.system_id = registered_systems.system_id
    group by
        retrieval_outcomes.system_id,
        retrieval_outcomes.gold_set,
        retrieval_outcomes.item_id

    union all

    select
        answers.system_id,
        answers.gold_set,
        answers.item_id,
        answers.outcome = 'failed' as is_failed
    from answers
    inner join sets_begun
        on
            answers.system_id = sets_begun.system_id
            and answers.gold_set = sets_begun.gold_set

),

-- The answer names what earlier turns of the dialogue had read: that was there before
-- the first call, and none of the tools showed it.
shown as (

    select
        system_id,
        item_id,
        case when tool_name = 'answer' then -1 else turn_pos end as turn_pos,
        call_pos,
        tool_name,
        unnest(passage_ids) as passage_id
    from agent_steps

),

evidence_shown as (

    select
        shown.system_id,
        shown.item_id,
        judgments.unit,
        judgments.evidence_id,
        min(shown.turn_pos) as seen_in_turn,
        min(shown.turn_pos) filter (
            where shown.tool_name in ('chunk_read', 'answer')
        ) as read_in_turn,
        arg_min(shown.tool_name, (shown.turn_pos, shown.call_pos)) as shown_by
    from shown
    inner join judgments
        on
            shown.item_id = judgments.item_id
            and shown.passage_id = judgments.passage_id
    group by
        shown.system_id,
        shown.item_id,
        judgments.unit,
        judgments.evidence_id

),

evidence_found as (

    select
        evidence_shown.system_id,
        evidence_shown.item_id,
        metric_catalogue.metric,
        metric_catalogue.k,
        count(*) filter (
            where case metric_catalogue.metric
                when 'evidence_seen'
                    then evidence_shown.seen_in_turn < metric_catalogue.k
                when 'evidence_read'
                    then evidence_shown.read_in_turn < metric_catalogue.k
                when 'evidence_by_keyword'
                    then evidence_shown.shown_by = 'keyword_search'
                when 'evidence_by_semantic'
                    then evidence_shown.shown_by = 'semantic_search'
                when 'evidence_by_read'
                    then evidence_shown.shown_by = 'chunk_read'
                when 'evidence_by_other'
                    then evidence_shown.shown_by not in (
                        'keyword_search', 'semantic_search', 'chunk_read'
                    )
            end
        ) as n_found
    from evidence_shown
    cross join metric_catalogue
    where metric_catalogue.unit = 'any'
    group by
        evidence_shown.system_id,
        evidence_shown.item_id,
        metric_catalogue.metric,
        metric_catalogue.k

),

evidence_seen as (

    select
        system_id,
        item_id
    from evidence_shown
    group by system_id, item_id

),

joined as (

    select
        asked.system_id,
        asked.gold_set,
        asked.item_id,
        metric_catalogue.metric,
        metric_catalogue.k,
        metric_catalogue.unit,
        metric_catalogue.mode,
        metric_catalogue.needs_gold,
        evidence_counted.n_evidence,
        coalesce(evidence_found.n_found, 0) as n_found,
        evidence_seen.item_id is not null as has_seen_evidence,
        sessions.n_calls,
        sessions.n_turns,
        sessions.n_repeats,
        sessions.context_tokens,
        sessions.is_forced,
        answers.outcome as answer_outcome,
        answers.outcome = 'answered'
        and coalesce(answer_verdicts.is_right, false) as is_right,
        case
            when sessions.item_id is null and asked.is_failed then 'failed'
            when sessions.item_id is null then 'not_run'
            when sessions.is_failed and sessions.n_calls = 0 then 'failed'
            else 'run'
        end as session_status
    from asked
    cross join metric_catalogue
    left join sessions
        on
            asked.system_id = sessions.system_id
            and asked.item_id = sessions.item_id
    left join evidence_counted
        on asked.item_id = evidence_counted.item_id
    left join evidence_found
        on
            asked.system_id = evidence_found.system_id
            and asked.item_id = evidence_found.item_id
            and metric_catalogue.metric = evidence_found.metric
            and metric_catalogue.k = evidence_found.k
    left join evidence_seen
        on
            asked.system_id = evidence_seen.system_id
            and asked.item_id = evidence_seen.item_id
    left join answers
        on
            asked.system_id = answers.system_id
            and asked.item_id = answers.item_id
    left join answer_verdicts
        on
            asked.system_id = answer_verdicts.system_id
            and asked.item_id = answer_verdicts.item_id

),

valued as (

    select
        *,
        case
            when metric = 'right_without_evidence'
                then
                    case
                        when is_right then cast(not has_seen_evidence as double)
                    end
            when metric = 'agent_turns' then cast(n_turns as double)
            when metric = 'agent_repeats' then n_repeats / nullif(n_calls, 0)
            when metric = 'agent_context_tokens' then cast(context_tokens as double)
            when metric = 'agent_forced' then cast(is_forced as double)
            else n_found / n_evidence
        end as measured_value
    from joined

),

-- Only a right answer can be right without evidence.
with_status as (

    select
        *,
        case
            when needs_gold and n_evidence is null then 'uncovered'
            when session_status <> 'run' then session_status
            when
                metric = 'right_without_evidence'
                and answer_outcome in ('abstained', 'failed')
                then answer_outcome
            when measured_value is null then 'unscored'
            else 'evaluated'
        end as value_status
    from valued

)

select
    system_id,
    gold_set,
    item_id,
    metric,
    k,
    unit,
    mode,
    value_status,
    case when value_status = 'evaluated' then measured_value end as value
from with_status
