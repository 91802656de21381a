{#-
    Every figure of this run that a baseline may hold: see seed baseline_metrics. Those of a
    public set and of frozen anchors carry the digest of what they were measured on.
-#}
with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

distance_profiles as (

    select * from {{ ref('distance_profiles') }}

),

system_costs as (

    select * from {{ ref('system_costs') }}

),

runs as (

    select * from {{ ref('runs') }}

),

int_gold_hashed as (

    select * from {{ ref('int_gold_hashed') }}

),

summaries as (

    select
        run_id,
        system_id,
        gold_set,
        slice_name,
        slice_value,
        metric,
        k,
        unit,
        mode,
        scorer_id,
        n_evaluated as n,
        mean,
        ci_low,
        ci_high
    from metric_summaries
    where slice_name in ('overall', 'sound', 'sound_scope', 'frozen')

),

-- Of the encoder of the run; another one that a system brings has no gate.
distances as (

    select
        distance_profiles.run_id,
        'gold' as system_id,
        distance_profiles.gold_set,
        distance_profiles.slice_name,
        distance_profiles.slice_value,
        'gold_distance_p50' as metric,
        0 as k,
        'any' as unit,
        'finrag' as mode,
        cast(null as varchar) as scorer_id,
        distance_profiles.n_pairs as n,
        distance_profiles.p50 as mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high
    from distance_profiles
    inner join runs
        on distance_profiles.encoder = runs.encoder
    where
        distance_profiles.population = 'gold'
        and distance_profiles.slice_name = 'overall'

),

-- A cost that is not known is no figure, and no baseline.
spent as (

    select
        run_id,
        system_id,
        gold_set,
        'overall' as slice_name,
        'all' as slice_value,
        metric,
        0 as k,
        'any' as unit,
        'finrag' as mode,
        cast(null as varchar) as scorer_id,
        case metric when 'cost_usd_per_query' then n_items else n_timed end as n,
        mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high
    from system_costs
    unpivot include nulls (
        mean for metric in (latency_p50_ms, latency_p95_ms, cost_usd_per_query)
    )
    where
        metric <> 'cost_usd_per_query'
        or is_cost_known

),

measured as (

    select * from summaries
    union all
    select * from distances
    union all
    select * from spent

)

select
    measured.*,
    int_gold_hashed.gold_hash as set_hash
from measured
left join int_gold_hashed
    on
        case measured.slice_name
            when 'frozen' then 'frozen'
            else measured.gold_set
        end = int_gold_hashed.hashed
