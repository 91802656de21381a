{#-
    Both ways round, so that either system can be chosen first: the turned row has every
    sign turned, and its sentence says whose side it was told from. All metrics over all
    items or all sound questions; in finer slices the headline metrics, and all that show
    what the filter is worth or what is above chance. Pairs that are not registered stand
    with what the model matrix says of them.
-#}
with

comparisons as (

    select * from {{ ref('comparisons') }}

),

model_matrix as (

    select * from {{ ref('model_matrix') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

int_slices_named as (

    select * from {{ ref('int_slices_named') }}

),

candidates as (

    select system_id
    from {{ ref('registered_systems') }}
    where role = 'candidate'

),

registered as (

    select comparisons.*
    from comparisons
    inner join metric_catalogue
        on
            comparisons.metric = metric_catalogue.metric
            and comparisons.k = metric_catalogue.k
            and comparisons.unit = metric_catalogue.unit
            and comparisons.mode = metric_catalogue.mode
    where
        comparisons.slice_name in ('overall', 'sound')
        or (
            comparisons.slice_name in (
                'length_bucket', 'section', 'scope', 'category', 'difficulty',
                'answer_type'
            )
            and metric_catalogue.is_headline
        )
        or (
            comparisons.slice_name in (
                'length_bucket', 'section', 'scope', 'category', 'difficulty'
            )
            and comparisons.purpose = 'regime_gap'
        )
        or (
            comparisons.slice_name = 'length_bucket'
            and comparisons.purpose = 'null_lift'
        )

),

-- What no registered pair tells, in either order.
unregistered as (

    select
        model_matrix.*,
        'matrix' as purpose,
        false as is_confirmatory
    from model_matrix
    left join comparisons
        on
            model_matrix.gold_set = comparisons.gold_set
            and model_matrix.slice_name = comparisons.slice_name
            and model_matrix.slice_value = comparisons.slice_value
            and model_matrix.metric = comparisons.metric
            and model_matrix.k = comparisons.k
            and model_matrix.unit = comparisons.unit
            and model_matrix.mode = comparisons.mode
            and least(model_matrix.system_a, model_matrix.system_b)
            = least(comparisons.system_a, comparisons.system_b)
            and greatest(model_matrix.system_a, model_matrix.system_b)
            = greatest(comparisons.system_a, comparisons.system_b)
    where comparisons.comparison_id is null

),

as_described as (

    select * from registered

    union all by name

    select * from unregistered

),

turned as (

    select
        * replace (
            system_b as system_a,
            system_a as system_b,
            mean_b as mean_a,
            mean_a as mean_b,
            0 - mean_difference as mean_difference,
            0 - ci_high as ci_low,
            0 - ci_low as ci_high,
            0 - effect_size as effect_size,
            case verdict
                when 'better' then 'worse'
                when 'worse' then 'better'
                else verdict
            end as verdict,
            'Of ' || system_a || ' minus ' || system_b || ': ' || verdict_reason
                as verdict_reason
        )
    from as_described

),

both_ways as (

    select
        *,
        false as is_turned
    from as_described

    union all

    select
        *,
        true as is_turned
    from turned

)

select
    both_ways.run_id,
    both_ways.system_a,
    both_ways.system_b,
    both_ways.is_turned,
    both_ways.purpose,
    both_ways.pair_id,
    case
        when
            both_ways.purpose <> 'matrix'
            or (
                of_a.system_id is not null
                and of_b.system_id is not null
            )
            then 'all metrics of this pair'
        when of_a.system_id is not null or of_b.system_id is not null
            then 'all pairs of this candidate on one metric'
        else 'all pairs without a candidate on one metric'
    end as corrected_over,
    both_ways.gold_set,
    both_ways.slice_name,
    int_slices_named.slice_title,
    both_ways.slice_value,
    int_slices_named.slice_label,
    cast(int_slices_named.slice_order as integer) as slice_order,
    both_ways.metric,
    both_ways.k,
    both_ways.unit,
    both_ways.mode,
    metric_catalogue.label as metric_label,
    metric_catalogue.is_headline,
    metric_catalogue.direction,
    both_ways.mean_a,
    both_ways.mean_b,
    both_ways.mean_difference as difference,
    both_ways.ci_low,
    both_ways.ci_high,
    both_ways.n_items as n,
    both_ways.n_clusters,
    both_ways.n_companies,
    both_ways.n_discordant,
    -- The larger one counts, and is unknown where either is.
    case
        when both_ways.p_value_clustered >= both_ways.p_t_clustered
            then both_ways.p_value_clustered
        when both_ways.p_value_clustered < both_ways.p_t_clustered
            then both_ways.p_t_clustered
    end as p_value,
    both_ways.p_holm,
    both_ways.p_bh,
    both_ways.effect_size,
    both_ways.mde,
    both_ways.margin,
    both_ways.verdict,
    both_ways.verdict_reason,
    both_ways.is_confirmatory,
    case when both_ways.ci_low is null then 'too_few' else 'measured' end as status,
    case
        when both_ways.ci_low is null
            then 'All items are of one filing, company or document: no interval.'
    end as why
from both_ways
left join candidates as of_a
    on both_ways.system_a = of_a.system_id
left join candidates as of_b
    on both_ways.system_b = of_b.system_id
inner join metric_catalogue
    on
        both_ways.metric = metric_catalogue.metric
        and both_ways.k = metric_catalogue.k
        and both_ways.unit = metric_catalogue.unit
        and both_ways.mode = metric_catalogue.mode
inner join int_slices_named
    on
        both_ways.slice_name = int_slices_named.slice_name
        and both_ways.slice_value = int_slices_named.slice_value
