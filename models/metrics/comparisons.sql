with

runs as (

    select * from {{ ref('runs') }}

),

py_systems_compared as (

    select *
    from {{ ref('py_systems_compared') }}
    where asked_for = 'pairs'

)

select
    md5(concat_ws(
        '|',
        py_systems_compared.pair_id,
        py_systems_compared.gold_set,
        py_systems_compared.slice_name,
        py_systems_compared.slice_value,
        py_systems_compared.metric,
        cast(py_systems_compared.k as varchar),
        py_systems_compared.unit,
        py_systems_compared.mode
    )) as comparison_id,
    runs.run_id,
    py_systems_compared.pair_id,
    py_systems_compared.purpose,
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
    py_systems_compared.n_missing_a,
    py_systems_compared.n_missing_b,
    py_systems_compared.n_discordant,
    py_systems_compared.n_a_better,
    py_systems_compared.n_clusters,
    py_systems_compared.n_companies,
    py_systems_compared.mean_a,
    py_systems_compared.mean_b,
    py_systems_compared.mean_difference,
    py_systems_compared.ci_low,
    py_systems_compared.ci_high,
    py_systems_compared.p_value,
    py_systems_compared.p_value_clustered,
    py_systems_compared.is_share as method_binary,
    py_systems_compared.p_t,
    py_systems_compared.p_t_clustered,
    py_systems_compared.p_wilcoxon,
    py_systems_compared.p_mcnemar,
    py_systems_compared.p_holm,
    py_systems_compared.sd_difference,
    py_systems_compared.standard_error,
    py_systems_compared.effect_size,
    py_systems_compared.mde,
    py_systems_compared.margin,
    py_systems_compared.equivalence_low,
    py_systems_compared.equivalence_high,
    py_systems_compared.verdict,
    py_systems_compared.verdict_reason,
    py_systems_compared.is_confirmatory,
    py_systems_compared.p_bh
from py_systems_compared
cross join runs
