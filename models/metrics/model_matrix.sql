with

runs as (

    select * from {{ ref('runs') }}

),

py_systems_compared as (

    select *
    from {{ ref('py_systems_compared') }}
    where asked_for = 'matrix'

)

select
    md5(concat_ws(
        '|',
        py_systems_compared.pair_id,
        py_systems_compared.gold_set,
        py_systems_compared.metric,
        cast(py_systems_compared.k as varchar),
        py_systems_compared.unit,
        py_systems_compared.mode
    )) as cell_id,
    runs.run_id,
    py_systems_compared.system_a,
    py_systems_compared.system_b,
    py_systems_compared.gold_set,
    py_systems_compared.slice_name,
    py_systems_compared.slice_value,
    py_systems_compared.metric,
    py_systems_compared.k,
    py_systems_compared.unit,
    py_systems_compared.mode,
    py_systems_compared.n_items,
    py_systems_compared.n_discordant,
    py_systems_compared.n_clusters,
    py_systems_compared.n_companies,
    py_systems_compared.mean_a,
    py_systems_compared.mean_b,
    py_systems_compared.mean_difference,
    py_systems_compared.ci_low,
    py_systems_compared.ci_high,
    py_systems_compared.p_holm,
    py_systems_compared.effect_size,
    py_systems_compared.mde,
    py_systems_compared.margin,
    py_systems_compared.verdict,
    py_systems_compared.verdict_reason
from py_systems_compared
cross join runs
