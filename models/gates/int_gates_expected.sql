with

gate_thresholds as (

    select * from {{ ref('gate_thresholds') }}

),

runs as (

    select * from {{ ref('runs') }}

),

-- A row for this corpus replaces the row for any corpus.
chosen as (

    select
        runs.run_id,
        runs.n_questions,
        gate_thresholds.*
    from gate_thresholds
    cross join runs
    where gate_thresholds.corpus in ('any', runs.corpus)
    qualify
        row_number() over (
            partition by gate_thresholds.gate_id
            order by gate_thresholds.corpus = 'any', gate_thresholds.corpus
        ) = 1

)

select * from chosen
