with

py_releases_decided as (

    select * from {{ ref('py_releases_decided') }}

)

select
    run_id,
    subject,
    system_id,
    system_version,
    headline,
    n_broken,
    n_undecided,
    n_met,
    n_needed,
    first_gate_id,
    first_warning_id,
    ungated,
    statement,
    measured_on
from py_releases_decided
