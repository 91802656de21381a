with

runs as (

    select * from {{ ref('runs') }}

),

system_pairs as (

    select * from {{ ref('system_pairs') }}

),

int_pair_differences as (

    select * from {{ ref('int_pair_differences') }}

),

int_items_sliced as (

    select * from {{ ref('int_items_sliced') }}

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
        count(*) as n_items,
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
    system_pairs.purpose,
    system_pairs.system_a,
    system_pairs.system_b,
    compared.gold_set,
    compared.slice_name,
    compared.slice_value,
    compared.metric,
    compared.k,
    compared.n_items,
    compared.n_a_better + compared.n_b_better as n_discordant,
    compared.n_a_better,
    py_intervals_bootstrapped.n_clusters,
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
inner join system_pairs
    on compared.pair_id = system_pairs.pair_id
left join py_intervals_bootstrapped
    on
        compared.gold_set = py_intervals_bootstrapped.gold_set
        and compared.slice_name = py_intervals_bootstrapped.slice_name
        and compared.slice_value = py_intervals_bootstrapped.slice_value
        and 'pair|' || compared.pair_id || '|' || compared.metric || '|' || compared.k
        = py_intervals_bootstrapped.series_id
left join py_differences_tested
    on
        compared.gold_set = py_differences_tested.gold_set
        and compared.slice_name = py_differences_tested.slice_name
        and compared.slice_value = py_differences_tested.slice_value
        and compared.pair_id = py_differences_tested.pair_id
        and compared.metric = py_differences_tested.metric
        and compared.k = py_differences_tested.k
