with

gate_thresholds as (

    select * from {{ ref('gate_thresholds') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

runs as (

    select * from {{ ref('runs') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

-- A gate on a slice of the questions asks nothing where no such question has evidence.
questions_counted as (

    select
        slice_name,
        slice_value,
        sum(n_evaluated) as n_all,
        sum(round(mean * n_evaluated)) as n_with_evidence
    from metric_summaries
    where
        gold_set = 'p3'
        and metric = 'questions_with_evidence'
    group by slice_name, slice_value

),

metric_types as (

    select distinct
        metric,
        unit,
        mode,
        {{ unnest_list(split_list('applies_to', ' '), 'answer_type') }}
    from metric_catalogue
    where length(applies_to) > 0

),

-- Nor does one on a metric where no question of the slice is of its types.
types_counted as (

    select
        metric_types.metric,
        metric_types.unit,
        metric_types.mode,
        metric_summaries.slice_name,
        metric_summaries.slice_value,
        sum(round(metric_summaries.mean * metric_summaries.n_evaluated)) as n_of_type
    from metric_types
    inner join metric_summaries
        on
            metric_summaries.gold_set = 'p3'
            and 'questions_' || metric_types.answer_type = metric_summaries.metric
    group by
        metric_types.metric,
        metric_types.unit,
        metric_types.mode,
        metric_summaries.slice_name,
        metric_summaries.slice_value

),

typed as (

    select distinct
        metric,
        unit,
        mode
    from metric_types

),

-- A row for this corpus replaces the row for any corpus.
chosen as (

    select
        runs.run_id,
        runs.n_questions,
        coalesce(questions_counted.n_with_evidence, 0) as n_with_evidence,
        case
            when typed.metric is null then coalesce(questions_counted.n_all, 0)
            else coalesce(types_counted.n_of_type, 0)
        end as n_of_type,
        gate_thresholds.*
    from gate_thresholds
    cross join runs
    left join questions_counted
        on
            gate_thresholds.slice_name = questions_counted.slice_name
            and gate_thresholds.slice_value = questions_counted.slice_value
    left join typed
        on
            gate_thresholds.metric = typed.metric
            and gate_thresholds.unit = typed.unit
            and gate_thresholds.mode = typed.mode
    left join types_counted
        on
            gate_thresholds.metric = types_counted.metric
            and gate_thresholds.unit = types_counted.unit
            and gate_thresholds.mode = types_counted.mode
            and gate_thresholds.slice_name = types_counted.slice_name
            and gate_thresholds.slice_value = types_counted.slice_value
    where gate_thresholds.corpus in ('any', runs.corpus)
    qualify
        row_number() over (
            partition by gate_thresholds.gate_id
            order by gate_thresholds.corpus = 'any', gate_thresholds.corpus
        ) = 1

)

select * from chosen
