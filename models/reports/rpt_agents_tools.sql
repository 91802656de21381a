with

runs as (

    select * from {{ ref('runs') }}

),

agent_steps as (

    select *
    from {{ ref('agent_steps') }}
    where stop_reason is null

),

metric_summaries as (

    select *
    from {{ ref('metric_summaries') }}
    where
        slice_name = {{ headline_slice('gold_set') }}
        and slice_value = 'all'

),

page_figures as (

    select *
    from {{ ref('page_figures') }}
    where shown_in = 'rpt_agents_tools'

),

-- A model invents any number of tools; they are one row.
called as (

    select
        gold_set,
        system_id,
        case when status = 'unknown_tool' then 'no such tool' else tool_name end
            as tool_text,
        count(*) as n_calls,
        count(distinct item_id) as n_items,
        count(*) filter (where status = 'empty') as n_empty,
        count(*) filter (where status in ('repeated', 'already_read')) as n_repeated,
        count(*) filter (
            where status in ('bad_arguments', 'unknown_tool', 'over_budget')
        ) as n_refused,
        count(*) filter (where status = 'failed') as n_failed,
        cast(sum(n_new) as bigint) as n_new,
        cast(sum(observation_tokens) as bigint) as observation_tokens
    from agent_steps
    group by all

),

-- The evidence that a tool was the first to show.
showed as (

    select
        metric_summaries.gold_set,
        metric_summaries.system_id,
        page_figures.figure_id as tool_text,
        metric_summaries.mean,
        metric_summaries.ci_low,
        metric_summaries.ci_high,
        metric_summaries.n_evaluated
    from metric_summaries
    inner join page_figures
        on
            metric_summaries.metric = page_figures.metric
            and metric_summaries.k = page_figures.k
            and metric_summaries.unit = page_figures.unit
            and metric_summaries.mode = page_figures.mode
    where metric_summaries.n_evaluated > 0

)

select
    runs.run_id,
    called.gold_set,
    called.system_id,
    called.tool_text,
    called.n_calls,
    called.n_items,
    called.n_empty,
    called.n_repeated,
    called.n_refused,
    called.n_failed,
    called.n_new,
    called.observation_tokens,
    showed.mean as evidence_share,
    showed.ci_low as evidence_ci_low,
    showed.ci_high as evidence_ci_high,
    showed.n_evaluated as evidence_n
from called
cross join runs
left join showed
    on
        called.gold_set = showed.gold_set
        and called.system_id = showed.system_id
        and called.tool_text = showed.tool_text
