with

sample_sizes as (

    select * from {{ ref('sample_sizes') }}

)

select
    sample_size_id,
    run_id,
    basis,
    gold_set,
    metric,
    k,
    unit,
    mode,
    {{ metric_label('metric', 'k') }} as metric_label,
    difference,
    n_needed,
    n_present,
    n_present >= n_needed as is_enough,
    mde_present,
    sd_difference,
    design_effect,
    n_pairs
from sample_sizes
