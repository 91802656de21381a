{#- Every figure of this run that a baseline may hold: see seed baseline_metrics. -#}
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
    where slice_name in ('overall', 'sound', 'sound_scope')

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

latencies as (

    select
        runs.run_id,
        system_costs.system_id,
        system_costs.gold_set,
        'overall' as slice_name,
        'all' as slice_value,
        'latency_p50_ms' as metric,
        0 as k,
        'any' as unit,
        'finrag' as mode,
        cast(null as varchar) as scorer_id,
        system_costs.n_items as n,
        system_costs.latency_p50_ms as mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high
    from system_costs
    cross join runs

),

-- A cost that is not known is no figure, and no baseline.
costs as (

    select
        runs.run_id,
        system_costs.system_id,
        system_costs.gold_set,
        'overall' as slice_name,
        'all' as slice_value,
        'cost_usd_per_query' as metric,
        0 as k,
        'any' as unit,
        'finrag' as mode,
        cast(null as varchar) as scorer_id,
        system_costs.n_items as n,
        system_costs.cost_usd_per_query as mean,
        cast(null as double) as ci_low,
        cast(null as double) as ci_high
    from system_costs
    cross join runs
    where system_costs.is_cost_known

)

select * from summaries
union all
select * from distances
union all
select * from latencies
union all
select * from costs
