with

gate_thresholds as (

    select * from {{ ref('gate_thresholds') }}

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
        sum(round(mean * n_evaluated)) as n_with_evidence
    from metric_summaries
    where
        gold_set = 'p3'
        and metric = 'questions_with_evidence'
    group by slice_name, slice_value

),

-- A row for this corpus replaces the row for any corpus.
chosen as (

    select
        runs.run_id,
        runs.n_questions,
        coalesce(questions_counted.n_with_evidence, 0) as n_with_evidence,
        gate_thresholds.*
    from gate_thresholds
    cross join runs
    left join questions_counted
        on
            gate_thresholds.slice_name = questions_counted.slice_name
            and gate_thresholds.slice_value = questions_counted.slice_value
    where gate_thresholds.corpus in ('any', runs.corpus)
    qualify
        row_number() over (
            partition by gate_thresholds.gate_id
            order by gate_thresholds.corpus = 'any', gate_thresholds.corpus
        ) = 1

)

select * from chosen
