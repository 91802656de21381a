with

runs as (

    select * from {{ ref('runs') }}

),

int_pairs_registered as (

    select * from {{ ref('int_pairs_registered') }}

),

int_differences_paired as (

    select *
    from {{ ref('int_differences_paired') }}
    where asked_for = 'pairs'

),

item_slices as (

    select * from {{ ref('item_slices') }}

),

int_differences_listed as (

    select * from {{ ref('int_differences_listed') }}

),

py_differences_tested as (

    select * from {{ ref('py_differences_tested') }}

),

compared as (

    select
        int_differences_paired.pair_id,
        item_slices.gold_set,
        item_slices.slice_name,
        item_slices.slice_value,
        int_differences_paired.metric,
        int_differences_paired.k,
        int_differences_paired.unit,
        int_differences_paired.mode,
        count(*) as n_items,
        count(*) filter (where int_differences_paired.is_missing_a) as n_missing_a,
        count(*) filter (where int_differences_paired.is_missing_b) as n_missing_b,
        count(*) filter (where int_differences_paired.difference > 0) as n_a_higher,
        count(*) filter (where int_differences_paired.difference < 0) as n_b_higher,
        {{ exact_mean('int_differences_paired.value_a') }} as mean_a,
        {{ exact_mean('int_differences_paired.value_b') }} as mean_b,
        {{ exact_mean('int_differences_paired.difference') }} as mean_difference
    from int_differences_paired
    inner join item_slices
        on int_differences_paired.item_id = item_slices.item_id
    group by
        int_differences_paired.pair_id,
        item_slices.gold_set,
        item_slices.slice_name,
        item_slices.slice_value,
        int_differences_paired.metric,
        int_differences_paired.k,
        int_differences_paired.unit,
        int_differences_paired.mode

),

tested as (

    select
        py_differences_tested.*,
        int_differences_listed.is_share,
        int_differences_listed.direction,
        int_differences_listed.margin,
        int_differences_listed.is_confirmatory
    from py_differences_tested
    inner join int_differences_listed
        on
            py_differences_tested.asked_for = int_differences_listed.asked_for
            and py_differences_tested.gold_set = int_differences_listed.gold_set
            and py_differences_tested.slice_name = int_differences_listed.slice_name
            and py_differences_tested.slice_value
            = int_differences_listed.slice_value
            and py_differences_tested.pair_id = int_differences_listed.pair_id
            and py_differences_tested.metric = int_differences_listed.metric
            and py_differences_tested.k = int_differences_listed.k
            and py_differences_tested.unit = int_differences_listed.unit
            and py_differences_tested.mode = int_differences_listed.mode
    where py_differences_tested.asked_for = 'pairs'

)

select
    md5(concat_ws(
        '|',
        compared.pair_id,
        compared.gold_set,
        compared.slice_name,
        compared.slice_value,
        compared.metric,
        cast(compared.k as varchar),
        compared.unit,
        compared.mode
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
    compared.unit,
    compared.mode,
    compared.n_items,
    compared.n_missing_a,
    compared.n_missing_b,
    compared.n_a_higher + compared.n_b_higher as n_discordant,
    case tested.direction
        when 'min' then compared.n_b_higher
        else compared.n_a_higher
    end as n_a_better,
    tested.n_clusters,
    tested.n_companies,
    compared.mean_a,
    compared.mean_b,
    compared.mean_difference,
    tested.ci_low,
    tested.ci_high,
    tested.p_value,
    tested.p_value_clustered,
    tested.is_share as method_binary,
    tested.p_t,
    tested.p_t_clustered,
    tested.p_wilcoxon,
    tested.p_mcnemar,
    tested.p_holm,
    tested.sd_difference,
    tested.standard_error,
    tested.effect_size,
    tested.mde,
    tested.margin,
    tested.equivalence_low,
    tested.equivalence_high,
    tested.verdict,
    tested.verdict_reason,
    tested.is_confirmatory,
    tested.p_bh
from compared
cross join runs
inner join int_pairs_registered
    on compared.pair_id = int_pairs_registered.pair_id
inner join tested
    on
        compared.pair_id = tested.pair_id
        and compared.gold_set = tested.gold_set
        and compared.slice_name = tested.slice_name
        and compared.slice_value = tested.slice_value
        and compared.metric = tested.metric
        and compared.k = tested.k
        and compared.unit = tested.unit
        and compared.mode = tested.mode
