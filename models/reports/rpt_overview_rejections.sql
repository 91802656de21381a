with

runs as (

    select * from {{ ref('runs') }}

),

external_rejections as (

    select * from {{ ref('external_rejections') }}

),

-- A record may be at fault in several places.
records as (

    select
        system_id,
        source_file,
        source_line,
        bool_or(part = 'record') as is_unused
    from external_rejections
    group by system_id, source_file, source_line

)

select
    runs.run_id,
    records.system_id,
    count(*) filter (where records.is_unused) as n_unused,
    count(*) filter (where not records.is_unused) as n_used_in_part
from records
cross join runs
group by runs.run_id, records.system_id
