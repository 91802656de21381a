with

runs as (

    select * from {{ ref('runs') }}

),

int_pair_distances as (

    select * from {{ ref('int_pair_distances') }}

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

profiled as (

    select
        int_pair_distances.encoder,
        int_pair_distances.gold_set,
        int_pair_distances.population,
        item_slices.slice_name,
        item_slices.slice_value,
        count(*) as n_pairs,
        round(quantile_cont(int_pair_distances.distance, 0.05), 6) as p05,
        round(quantile_cont(int_pair_distances.distance, 0.25), 6) as p25,
        round(quantile_cont(int_pair_distances.distance, 0.50), 6) as p50,
        round(quantile_cont(int_pair_distances.distance, 0.75), 6) as p75,
        round(quantile_cont(int_pair_distances.distance, 0.90), 6) as p90,
        round(quantile_cont(int_pair_distances.distance, 0.95), 6) as p95
    from int_pair_distances
    inner join item_slices
        on int_pair_distances.item_id = item_slices.item_id
    where item_slices.slice_name in ('overall', 'length_bucket', 'section')
    group by
        int_pair_distances.encoder,
        int_pair_distances.gold_set,
        int_pair_distances.population,
        item_slices.slice_name,
        item_slices.slice_value

)

select
    md5(concat_ws(
        '|',
        profiled.encoder,
        profiled.gold_set,
        profiled.population,
        profiled.slice_name,
        profiled.slice_value
    )) as profile_id,
    runs.run_id,
    profiled.encoder,
    profiled.gold_set,
    profiled.population,
    profiled.slice_name,
    profiled.slice_value,
    profiled.n_pairs,
    profiled.p05,
    profiled.p25,
    profiled.p50,
    profiled.p75,
    profiled.p90,
    profiled.p95
from profiled
cross join runs
