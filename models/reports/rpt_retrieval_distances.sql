with

distance_profiles as (

    select * from {{ ref('distance_profiles') }}

),

int_slices_named as (

    select * from {{ ref('int_slices_named') }}

)

select
    distance_profiles.profile_id,
    distance_profiles.run_id,
    distance_profiles.encoder,
    distance_profiles.gold_set,
    distance_profiles.population,
    case distance_profiles.population
        when 'gold' then 'gold neighbours'
        else 'noise: other filings'
    end as population_label,
    distance_profiles.slice_name,
    int_slices_named.slice_title,
    distance_profiles.slice_value,
    int_slices_named.slice_label,
    cast(int_slices_named.slice_order as integer) as slice_order,
    distance_profiles.n_pairs as n,
    distance_profiles.p05,
    distance_profiles.p25,
    distance_profiles.p50,
    distance_profiles.p75,
    distance_profiles.p90,
    distance_profiles.p95
from distance_profiles
inner join int_slices_named
    on
        distance_profiles.slice_name = int_slices_named.slice_name
        and distance_profiles.slice_value = int_slices_named.slice_value
