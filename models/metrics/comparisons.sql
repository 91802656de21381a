with

runs as (

    select * from {{ ref('runs') }}

),

int_pairs_registered as (

    select * from {{ ref('int_pairs_registered') }}

),

int_pair_differences as (

    select * from {{ ref('int_pair_differences') }}

),

int_items_sliced as (

    select * from {{ ref('int_items_sliced') }}

),

int_series_clustered as (

    select * from {{ ref('int_series_clustered') }}

),

int_companies_clustered as (

    select * from {{ ref('int_companies_clustered') }}

),

py_intervals_bootstrapped as (

    select * from {{ ref('py_intervals_bootstrapped') }}

),

py_differences_tested as (

    select * from {{ ref('py_differences_tested') }}

),

compared as (

    select
        int_pair_differences.pair_id,
        int_items_sliced.gold_set,
        int_items_sliced.slice_name,
        int_items_sliced.slice_value,
        int_pair_differences.metric,
        int_pair_differences.k,
        'pair|' || int_pair_differences.pair_id || '|' || int_pair_differences.metric
        || '|' || int_pair_differences.k as series_id,
        count(*) as n_items,
        count(*) filter (where int_pair_differences.is_missing_a) as n_missing_a,
        count(*) filter (where int_pair_differences.is_missing_b) as n_missing_b,
        count(*) filter (where int_pair_differences.difference > 0) as n_a_better,
        count(*) filter (where int_pair_differences.difference < 0) as n_b_better,
        {{ exact_mean('int_pair_differences.value_a') }} as mean_a,
        {{ exact_mean('int_pair_differences.value_b') }} as mean_b,
        {{ exact_mean('int_pair_differences.difference') }} as mean_difference
    from int_pair_differences
    inner join int_items_sliced
        on int_pair_differences.item_id = int_items_sliced.item_id
    group by
        int_pair_differences.pair_id,
        int_items_sliced.gold_set,
        int_items_sliced.slice_name,
        int_items_sliced.slice_value,
        int_pair_differences.metric,
        int_pair_differences.k

),

companies_counted as (

    select
        int_series_clustered.gold_set,
        int_series_clustered.slice_name,
        int_series_clustered.slice_value,
        int_series_clustered.series_id,
        count(distinct int_companies_clustered.cik_int) as n_companies
    from int_series_clustered
    inner join int_companies_clustered
        on int_series_clustered.cluster_id = int_companies_clustered.cluster_id
    where int_series_clustered.is_difference
    group by
        int_series_clustered.gold_set,
        int_series_clustered.slice_name,
        int_series_clustered.slice_value,
        int_series_clustered.series_id

)

select
    md5(concat_ws(
        '|',
        compared.pair_id,
        compared.gold_set,
        compared.slice_name,
        compared.slice_value,
        compared.metric,
        cast(compared.k as varchar)
    )) as comparison_id,
    runs.run_id,
    compared.pair_id,
    int_pairs_registered.purpose,
    int_pairs_registered.system_a,
    int_pairs_registered.system_b,
    compared.gold_set,
    compared.slice_name,
    compared.slice_value,
    compared.metric,
    compared.k,
    compared.n_items,
    compared.n_missing_a,
    compared.n_missing_b,
    compared.n_a_better + compared.n_b_better as n_discordant,
    compared.n_a_better,
    py_intervals_bootstrapped.n_clusters,
    coalesce(companies_counted.n_companies, 0) as n_companies,
    compared.mean_a,
    compared.mean_b,
    compared.mean_difference,
    py_intervals_bootstrapped.ci_low,
    py_intervals_bootstrapped.ci_high,
    -- Where nothing differs, every assignment of signs reaches the observed sum.
    case
        when compared.n_a_better + compared.n_b_better = 0 then 1.0
        else py_differences_tested.p_value
    end as p_value,
    py_intervals_bootstrapped.p_value as p_value_clustered
from compared
cross join runs
inner join int_pairs_registered
    on compared.pair_id = int_pairs_registered.pair_id
left join companies_counted
    on
        compared.gold_set = companies_counted.gold_set
        and compared.slice_name = companies_counted.slice_name
        and compared.slice_value = companies_counted.slice_value
        and compared.series_id = companies_counted.series_id
left join py_intervals_bootstrapped
    on
        compared.gold_set = py_intervals_bootstrapped.gold_set
        and compared.slice_name = py_intervals_bootstrapped.slice_name
        and compared.slice_value = py_intervals_bootstrapped.slice_value
        and compared.series_id = py_intervals_bootstrapped.series_id
left join py_differences_tested
    on
        compared.gold_set = py_differences_tested.gold_set
        and compared.slice_name = py_differences_tested.slice_name
        and compared.slice_value = py_differences_tested.slice_value
        and compared.pair_id = py_differences_tested.pair_id
        and compared.metric = py_differences_tested.metric
        and compared.k = py_differences_tested.k
