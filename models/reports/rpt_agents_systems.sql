{#-
    Agents beside the other systems that answer the same gold set. One metric says how many
    answers are right in a gold set, and one kind of passage how much evidence was found:
    the first that is measured of its agents, so that all are compared on the same.
-#}
{%- set figures = [
    'right_share', 'evidence', 'turns', 'tokens', 'repeats', 'forced', 'without_evidence'
] -%}
{%- set ends = {
    '': 'mean', '_ci_low': 'ci_low', '_ci_high': 'ci_high', '_n': 'n_evaluated'
} -%}
with

runs as (

    select * from {{ ref('runs') }}

),

agent_steps as (

    select * from {{ ref('agent_steps') }}

),

answers as (

    select * from {{ ref('answers') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

metric_summaries as (

    select *
    from {{ ref('metric_summaries') }}
    where
        slice_name = {{ headline_slice('gold_set') }}
        and slice_value = 'all'

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

page_figures as (

    select *
    from {{ ref('page_figures') }}
    where shown_in = 'rpt_agents_systems'

),

deciding_metrics as (

    select * from {{ ref('deciding_metrics') }}

),

comparisons as (

    select * from {{ ref('comparisons') }}

),

system_costs as (

    select * from {{ ref('system_costs') }}

),

-- Agents, and systems from outside whose steps are known.
agents as (

    select
        system_id,
        gold_set
    from agent_steps
    group by system_id, gold_set

),

gold_sets as (

    select gold_set
    from agents
    group by gold_set

),

listed as (

    select
        answers.system_id,
        answers.gold_set
    from answers
    inner join gold_sets
        on answers.gold_set = gold_sets.gold_set
    inner join registered_systems
        on
            answers.system_id = registered_systems.system_id
            and not registered_systems.is_null
    group by answers.system_id, answers.gold_set

),

rivals as (

    select
        agents.gold_set,
        case
            when agents.system_id = comparisons.system_a then comparisons.system_b
            else comparisons.system_a
        end as system_id
    from comparisons
    inner join agents
        on
            comparisons.gold_set = agents.gold_set
            and agents.system_id in (comparisons.system_a, comparisons.system_b)
    where comparisons.purpose = 'rival'
    group by all

),

figures as (

    select
        figure_id,
        figure_pos,
        metric,
        k,
        unit,
        mode
    from page_figures

    union all

    select
        'right_share' as figure_id,
        place as figure_pos,
        metric,
        k,
        unit,
        mode
    from deciding_metrics

),

measured as (

    select
        figures.figure_id,
        figures.figure_pos,
        metric_catalogue.label,
        metric_summaries.gold_set,
        metric_summaries.system_id,
        metric_summaries.mean,
        metric_summaries.ci_low,
        metric_summaries.ci_high,
        metric_summaries.n_evaluated,
        agents.system_id is not null as is_agent
    from metric_summaries
    inner join figures
        on
            metric_summaries.metric = figures.metric
            and metric_summaries.k = figures.k
            and metric_summaries.unit = figures.unit
            and metric_summaries.mode = figures.mode
    inner join metric_catalogue
        on
            metric_summaries.metric = metric_catalogue.metric
            and metric_summaries.k = metric_catalogue.k
            and metric_summaries.unit = metric_catalogue.unit
            and metric_summaries.mode = metric_catalogue.mode
    left join agents
        on
            metric_summaries.system_id = agents.system_id
            and metric_summaries.gold_set = agents.gold_set
    where metric_summaries.n_evaluated > 0

),

-- The first of several figures with one name that any agent of the gold set has.
chosen as (

    select
        gold_set,
        figure_id,
        min(figure_pos) as figure_pos
    from measured
    where is_agent
    group by gold_set, figure_id

),

pivoted as (

    select
        measured.gold_set,
        measured.system_id,
        {% for figure in figures -%}
            {% for name, column in ends.items() -%}
                max(measured.{{ column }}) filter (
                    where measured.figure_id = '{{ figure }}'
                ) as {{ figure ~ name }},
            {% endfor %}
        {%- endfor %}
        max(measured.label) filter (where measured.figure_id = 'right_share')
            as right_label,
        max(measured.label) filter (where measured.figure_id = 'evidence')
            as evidence_label
    from measured
    inner join chosen
        on
            measured.gold_set = chosen.gold_set
            and measured.figure_id = chosen.figure_id
            and measured.figure_pos = chosen.figure_pos
    group by measured.gold_set, measured.system_id

)

select
    runs.run_id,
    listed.gold_set,
    listed.system_id,
    cast(
        row_number() over (
            partition by listed.gold_set
            order by
                agents.system_id is null asc,
                pivoted.right_share desc nulls last,
                listed.system_id asc
        ) as integer
    ) as system_pos,
    agents.system_id is not null as is_agent,
    rivals.system_id is not null as is_rival,
    registered_systems.policy,
    replace(registered_systems.tools, '+', ', ') as tools_text,
    registered_systems.keyword_score,
    registered_systems.tool_filters,
    registered_systems.max_steps,
    -- Systems that differ in the number of turns alone are points of one line.
    case
        when agents.system_id is not null
            then concat_ws(
                ', ',
                registered_systems.policy,
                replace(registered_systems.tools, '+', ' + '),
                registered_systems.keyword_score,
                'filters ' || registered_systems.tool_filters,
                registered_systems.regime,
                registered_systems.answerer
            )
    end as series_text,
    pivoted.right_label,
    pivoted.right_share,
    pivoted.right_share_ci_low as right_ci_low,
    pivoted.right_share_ci_high as right_ci_high,
    pivoted.right_share_n as right_n,
    pivoted.evidence_label,
    pivoted.evidence,
    pivoted.evidence_ci_low,
    pivoted.evidence_ci_high,
    pivoted.turns,
    pivoted.turns_ci_low,
    pivoted.turns_ci_high,
    pivoted.tokens,
    pivoted.tokens_ci_low,
    pivoted.tokens_ci_high,
    pivoted.repeats,
    pivoted.repeats_ci_low,
    pivoted.repeats_ci_high,
    pivoted.forced,
    pivoted.forced_ci_low,
    pivoted.forced_ci_high,
    pivoted.without_evidence,
    pivoted.without_evidence_ci_low,
    pivoted.without_evidence_ci_high,
    system_costs.tokens_per_right_answer,
    system_costs.cost_usd_per_query,
    system_costs.latency_p50_ms
from listed
cross join runs
inner join registered_systems
    on listed.system_id = registered_systems.system_id
left join agents
    on
        listed.system_id = agents.system_id
        and listed.gold_set = agents.gold_set
left join rivals
    on
        listed.system_id = rivals.system_id
        and listed.gold_set = rivals.gold_set
left join pivoted
    on
        listed.system_id = pivoted.system_id
        and listed.gold_set = pivoted.gold_set
left join system_costs
    on
        listed.system_id = system_costs.system_id
        and listed.gold_set = system_costs.gold_set
