{#-
    The room of descriptions is not built: this door says so in the shape it will keep. When
    description_coverage comes, its rows take the place of the one below.
-#}
with

runs as (

    select * from {{ ref('runs') }}

),

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

gates as (

    select
        max(limit_value) as limit_value,
        max(verdict) as gate_verdict
    from gate_verdicts
    where gate_id = 'descriptions_covered'

)

select
    runs.run_id,
    'all' as filing_id,
    cast(null as varchar) as company_name,
    cast(null as integer) as report_year,
    cast(null as bigint) as n_lines,
    cast(null as bigint) as n_described,
    cast(null as double) as coverage,
    cast(null as double) as ci_low,
    cast(null as double) as ci_high,
    cast(null as bigint) as n,
    'unmeasured' as status,
    'Descriptions of revenue lines are not loaded: no line was looked for, and none is '
    || 'known to be described.' as why,
    gates.limit_value,
    gates.gate_verdict
from runs
cross join gates
