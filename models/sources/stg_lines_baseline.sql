with

py_line_baselines_read as (

    select * from {{ ref('py_line_baselines_read') }}

),

lines as (

    select
        filing_id,
        system_id,
        {{ unnest_structs('lines') }}
    from py_line_baselines_read
    where record_status = 'read'

)

-- Lines of one label are one line: it was described if all of them were.
select
    filing_id,
    system_id,
    line_label,
    bool_and(was_described) as was_described
from lines
group by filing_id, system_id, line_label
