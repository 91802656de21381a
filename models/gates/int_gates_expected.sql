with

gate_thresholds as (

    select * from {{ ref('gate_thresholds') }}

),

runs as (

    select * from {{ ref('runs') }}

),

-- A row for this corpus replaces the row for any corpus.
chosen as (

    select *
    from gate_thresholds
    where corpus in ('any', {{ sql_literal(var('corpus')) }})
    qualify
        row_number() over (
            partition by gate_id order by corpus = 'any', corpus
        ) = 1

)

select
    runs.run_id,
    chosen.*
from chosen
cross join runs
