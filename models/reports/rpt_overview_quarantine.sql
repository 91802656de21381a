with

runs as (

    select * from {{ ref('runs') }}

),

quarantine as (

    select * from {{ ref('quarantine') }}

),

-- One record may serve as the example of its reason; which one never changes.
numbered as (

    select
        *,
        count(*) over (partition by record_kind, reason_code) as n_records,
        row_number() over (
            partition by record_kind, reason_code
            order by source_file, source_line, quarantine_id
        ) as place
    from quarantine

)

select
    runs.run_id,
    numbered.record_kind,
    numbered.reason_code,
    numbered.n_records,
    numbered.reason as example_reason,
    numbered.remedy as example_remedy,
    numbered.source_file as example_file,
    numbered.source_line as example_line
from numbered
cross join runs
where numbered.place = 1
