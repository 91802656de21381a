with

line_descriptions as (

    select * from {{ ref('line_descriptions') }}

),

stg_lines_baseline as (

    select * from {{ ref('stg_lines_baseline') }}

),

line_systems as (

    select * from {{ ref('line_systems') }}

),

filings as (

    select * from {{ ref('filings') }}

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

covered as (

    select
        system_id,
        filing_id,
        avg(cast(is_described as integer)) as coverage
    from labelled
    group by system_id, filing_id

),

-- What another corpus holds, or a system that does not run, is not lost.
baselines as (

    select
        system_id,
        filing_id,
        avg(cast(was_described as integer)) as coverage_before
    from stg_lines_baseline
    where
        filing_id in (select filings.filing_id from filings)
        and system_id in (select line_systems.system_id from line_systems)
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

-- A filing may have lost all its lines.
select
    coalesce(counted.system_id, baselines.system_id) as system_id,
    coalesce(counted.filing_id, baselines.filing_id) as filing_id,
    coalesce(counted.n_lines, 0) as n_lines,
    coalesce(counted.n_described, 0) as n_described,
    coalesce(counted.n_not_described, 0) as n_not_described,
    coalesce(counted.n_gate_failed, 0) as n_gate_failed,
    coalesce(counted.n_failed, 0) as n_failed,
    coalesce(changed.newly_missing, []) as newly_missing,
    coalesce(changed.newly_covered, []) as newly_covered,
    coalesce(covered.coverage, 0.0) as coverage,
    baselines.coverage_before,
    coalesce(covered.coverage, 0.0) - baselines.coverage_before as coverage_delta
from counted
full outer join baselines
    on
        counted.system_id = baselines.system_id
        and counted.filing_id = baselines.filing_id
left join covered
    on
        counted.system_id = covered.system_id
        and counted.filing_id = covered.filing_id
left join changed
    on
        baselines.system_id = changed.system_id
        and baselines.filing_id = changed.filing_id
