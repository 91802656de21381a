with

runs as (

    select * from {{ ref('runs') }}

),

int_differences_paired as (

    select *
    from {{ ref('int_differences_paired') }}
    where asked_for = 'matrix'

),

int_differences_listed as (

    select * from {{ ref('int_differences_listed') }}

),

py_differences_tested as (

    select * from {{ ref('py_differences_tested') }}

),

averaged as (

    select
        pair_id,
        system_a,
        system_b,
        gold_set,
        metric,
        k,
        unit,
        mode,
        {{ exact_mean('value_a') }} as mean_a,
        {{ exact_mean('value_b') }} as mean_b,
        {{ exact_mean('difference') }} as mean_difference
    from int_differences_paired
    group by
        pair_id,
        system_a,
        system_b,
        gold_set,
        metric,
        k,
        unit,
        mode

)

select
    md5(concat_ws(
        '|',
        averaged.pair_id,
        averaged.gold_set,
        averaged.metric,
        cast(averaged.k as varchar),
        averaged.unit,
        averaged.mode
    )) as cell_id,
    runs.run_id,
    averaged.system_a,
    averaged.system_b,
    averaged.gold_set,
    py_differences_tested.slice_name,
    py_differences_tested.slice_value,
    averaged.metric,
    averaged.k,
    averaged.unit,
    averaged.mode,
    py_differences_tested.n_items,
    py_differences_tested.n_discordant,
    py_differences_tested.n_clusters,
    py_differences_tested.n_companies,
    averaged.mean_a,
    averaged.mean_b,
    averaged.mean_difference,
    py_differences_tested.ci_low,
    py_differences_tested.ci_high,
    py_differences_tested.p_holm,
    py_differences_tested.effect_size,
    py_differences_tested.mde,
    int_differences_listed.margin,
    py_differences_tested.verdict,
    py_differences_tested.verdict_reason
from averaged
cross join runs
inner join py_differences_tested
    on
        averaged.pair_id = py_differences_tested.pair_id
        and averaged.gold_set = py_differences_tested.gold_set
        and averaged.metric = py_differences_tested.metric
        and averaged.k = py_differences_tested.k
        and averaged.unit = py_differences_tested.unit
        and averaged.mode = py_differences_tested.mode
        and py_differences_tested.asked_for = 'matrix'
inner join int_differences_listed
    on
        averaged.pair_id = int_differences_listed.pair_id
        and averaged.gold_set = int_differences_listed.gold_set
        and averaged.metric = int_differences_listed.metric
        and averaged.k = int_differences_listed.k
        and averaged.unit = int_differences_listed.unit
        and averaged.mode = int_differences_listed.mode
        and int_differences_listed.asked_for = 'matrix'
