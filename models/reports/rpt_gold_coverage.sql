with

runs as (

    select * from {{ ref('runs') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

gate_verdicts as (

    select * from {{ ref('gate_verdicts') }}

),

buckets as (

    select
        listed.bucket_pos,
        listed.length_bucket
    from (
        values
        (0, 'all'),
        (1, '<10'),
        (2, '10-19'),
        (3, '20-39'),
        (4, '40+')
    ) as listed (bucket_pos, length_bucket)

),

sets as (

    select listed.gold_set
    from (values ('p1'), ('p2')) as listed (gold_set)

),

coverage as (

    select *
    from metric_summaries
    where system_id = 'gold' and metric = 'coverage'

),

gates as (

    select
        gold_set,
        max(limit_value) as limit_value
    from gate_verdicts
    where
        system_id = 'gold'
        and metric = 'coverage'
        and slice_name = 'overall'
        and statistic = 'mean'
    group by gold_set

)

select
    runs.run_id,
    sets.gold_set,
    buckets.length_bucket,
    buckets.bucket_pos,
    case
        when buckets.length_bucket = 'all' then 'all sections'
        else buckets.length_bucket || ' sentences'
    end as label,
    case
        when coverage.mean is not null then 'measured'
        when coverage.n_asked > 0 then 'unmeasured'
        else 'not_applicable'
    end as status,
    case
        when coverage.mean is not null then null
        when sets.gold_set = 'p1' and buckets.length_bucket not in ('all', '40+')
            then 'P1 draws its anchors from sections of 40 or more.'
        when coverage.n_asked > 0 then 'This build did not measure it.'
        else 'No anchor stands in a section of this length.'
    end as why,
    coverage.mean as value,
    coverage.ci_low,
    coverage.ci_high,
    coverage.n_evaluated as n,
    coverage.n_asked,
    case when buckets.length_bucket = 'all' then gates.limit_value end
        as limit_value
from sets
cross join buckets
cross join runs
left join coverage
    on
        sets.gold_set = coverage.gold_set
        and case
            when buckets.length_bucket = 'all' then 'overall'
            else 'length_bucket'
        end = coverage.slice_name
        and buckets.length_bucket = coverage.slice_value
left join gates
    on sets.gold_set = gates.gold_set
