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

),

-- What came by tools of other names, or from an earlier turn of a dialogue, is a row
-- without calls: theirs stand under their own names.
listed as (

    select * from called

    union all by name

    select
        gold_set,
        system_id,
        tool_text,
        0 as n_calls,
        0 as n_items,
        0 as n_empty,
        0 as n_repeated,
        0 as n_refused,
        0 as n_failed
    from showed
    where
        tool_text = 'shown otherwise'
        and mean > 0

)

select
    runs.run_id,
    listed.gold_set,
    listed.system_id,
    listed.tool_text,
    listed.n_calls,
    listed.n_items,
    listed.n_empty,
    listed.n_repeated,
    listed.n_refused,
    listed.n_failed,
    listed.n_new,
    listed.observation_tokens,
    showed.mean as evidence_share,
    showed.ci_low as evidence_ci_low,
    showed.ci_high as evidence_ci_high,
    showed.n_evaluated as evidence_n
from listed
cross join runs
left join showed
    on
        listed.gold_set = showed.gold_set
        and listed.system_id = showed.system_id
        and listed.tool_text = showed.tool_text
