with

line_descriptions as (

    select * from {{ ref('line_descriptions') }}

),

stg_lines_baseline as (

    select * from {{ ref('stg_lines_baseline') }}

),

counted as (

    select
        system_id,
        filing_id,
        count(*) as n_lines,
        count(*) filter (where status = 'described') as n_described,
        count(*) filter (where status = 'not_described') as n_not_described,
        count(*) filter (where status = 'gate_failed') as n_gate_failed,
        count(*) filter (where status = 'failed') as n_failed
    from line_descriptions
    group by system_id, filing_id

),

-- A baseline knows lines by their labels: those of one label are described if all are.
labelled as (

    select
        system_id,
        filing_id,
        -- As artefacts write a line without a label.
        coalesce(nullif(trim(label), ''), '(no label)') as label,
        bool_and(status = 'described') as is_described
    from line_descriptions
    group by all

),

baselines as (

    select
        system_id,
        filing_id,
        avg(cast(was_described as integer)) as coverage_before
    from stg_lines_baseline
    group by system_id, filing_id

),

sides as (

    select
        system_id,
        filing_id,
        label,
        is_described,
        false as was_described
    from labelled

    union all by name

    select
        system_id,
        filing_id,
        line_label as label,
        false as is_described,
        was_described
    from stg_lines_baseline

),

-- Every label of either side, of filings that the baseline has.
compared as (

    select
        baselines.system_id,
        baselines.filing_id,
        sides.label,
        bool_or(sides.is_described) as is_described,
        bool_or(sides.was_described) as was_described
    from baselines
    inner join sides
        on
            baselines.system_id = sides.system_id
            and baselines.filing_id = sides.filing_id
    group by baselines.system_id, baselines.filing_id, sides.label

),

changed as (

    select
        system_id,
        filing_id,
        list(label order by label) filter (where was_described and not is_described)
            as newly_missing,
        list(label order by label) filter (where is_described and not was_described)
            as newly_covered
    from compared
    group by system_id, filing_id

)

select
    counted.system_id,
    counted.filing_id,
    counted.n_lines,
    counted.n_described,
    counted.n_not_described,
    counted.n_gate_failed,
    counted.n_failed,
    coalesce(changed.newly_missing, []) as newly_missing,
    coalesce(changed.newly_covered, []) as newly_covered,
    counted.n_described / counted.n_lines as coverage,
    baselines.coverage_before,
    counted.n_described / counted.n_lines - baselines.coverage_before as coverage_delta
from counted
left join baselines
    on
        counted.system_id = baselines.system_id
        and counted.filing_id = baselines.filing_id
left join changed
    on
        counted.system_id = changed.system_id
        and counted.filing_id = changed.filing_id
