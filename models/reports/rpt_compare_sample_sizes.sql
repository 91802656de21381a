with

sample_sizes as (

    select * from {{ ref('sample_sizes') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

)

select
    sample_sizes.sample_size_id,
    sample_sizes.run_id,
    sample_sizes.basis,
    sample_sizes.gold_set,
    sample_sizes.metric,
    sample_sizes.k,
    sample_sizes.unit,
    sample_sizes.mode,
    -- Of what is assumed the catalogue knows nothing.
    coalesce(
        metric_catalogue.label,
        upper(substr(sample_sizes.metric, 1, 1)) || substr(sample_sizes.metric, 2)
    ) as metric_label,
    sample_sizes.difference,
    sample_sizes.n_needed,
    sample_sizes.n_present,
    sample_sizes.n_present >= sample_sizes.n_needed as is_enough,
    sample_sizes.mde_present,
    sample_sizes.sd_difference,
    sample_sizes.design_effect,
    sample_sizes.n_pairs
from sample_sizes
left join metric_catalogue
    on
        sample_sizes.metric = metric_catalogue.metric
        and sample_sizes.k = metric_catalogue.k
        and sample_sizes.unit = metric_catalogue.unit
        and sample_sizes.mode = metric_catalogue.mode
