{#-
    Summaries over whole sets and scopes, each beside what other systems score on the same
    items: the strongest null and the best reference.

    A band is a word for how much of what chance leaves open a system surely finds:
    (ci_low - null_value) / (1 - null_value), which has the form of Cohen's kappa (1960).
    The lower bound of the interval counts, as it does in gates: a wide interval earns no
    word that it has not shown. There is no word where no null was measured, where the null
    leaves nothing open, and for metrics without a scale.
-#}
with

metric_summaries as (

    select *
    from {{ ref('metric_summaries') }}
    where slice_name in ('overall', 'sound', 'sound_scope')

),

metric_floors as (

    select * from {{ ref('metric_floors') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

metric_bands as (

    select * from {{ ref('metric_bands') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

summaries as (

    select
        metric_summaries.*,
        registered_systems.role,
        coalesce(registered_systems.is_null, true) as is_null,
        coalesce(metric_catalogue.direction, 'max') as direction,
        metric_catalogue.band_scale
    from metric_summaries
    left join registered_systems
        on metric_summaries.system_id = registered_systems.system_id
    left join metric_catalogue
        on
            metric_summaries.metric = metric_catalogue.metric
            and metric_summaries.k = metric_catalogue.k
            and metric_summaries.unit = metric_catalogue.unit
            and metric_summaries.mode = metric_catalogue.mode

),

-- The nulls of the gates on candidates: systems that know nothing, and answers made up
-- for the system itself.
null_scores as (

    select
        summaries.summary_id,
        null_systems.mean as score
    from summaries
    inner join summaries as null_systems
        on
            null_systems.role = 'null'
            and summaries.gold_set = null_systems.gold_set
            and summaries.slice_name = null_systems.slice_name
            and summaries.slice_value = null_systems.slice_value
            and summaries.metric = null_systems.metric
            and summaries.k = null_systems.k
            and summaries.unit = null_systems.unit
            and summaries.mode = null_systems.mode

    union all

    select
        summaries.summary_id,
        metric_floors.null_mean as score
    from summaries
    inner join metric_floors
        on
            metric_floors.null_kind in ('random_answer', 'strongest')
            and summaries.system_id = metric_floors.system_id
            and summaries.gold_set = metric_floors.gold_set
            and summaries.slice_name = metric_floors.slice_name
            and summaries.slice_value = metric_floors.slice_value
            and summaries.metric = metric_floors.metric
            and summaries.k = metric_floors.k
            and summaries.unit = metric_floors.unit
            and summaries.mode = metric_floors.mode

),

strongest_nulls as (

    select
        summaries.summary_id,
        case any_value(summaries.direction)
            when 'min' then min(null_scores.score)
            else max(null_scores.score)
        end as null_value
    from summaries
    inner join null_scores
        on summaries.summary_id = null_scores.summary_id
    where
        not summaries.is_null
        and not isnan(null_scores.score)
    group by summaries.summary_id

),

-- The best that is not the system itself, among those that were measured on at least
-- half as many items: one that declines most questions is right on the easy ones that
-- are left. Where there is no such system, the best of the others stands in.
best_references as (

    select
        summaries.summary_id,
        rivals.system_id as reference_id,
        rivals.mean as reference_value
    from summaries
    inner join summaries as rivals
        on
            rivals.role = 'reference'
            and not isnan(rivals.mean)
            and summaries.system_id <> rivals.system_id
            and summaries.gold_set = rivals.gold_set
            and summaries.slice_name = rivals.slice_name
            and summaries.slice_value = rivals.slice_value
            and summaries.metric = rivals.metric
            and summaries.k = rivals.k
            and summaries.unit = rivals.unit
            and summaries.mode = rivals.mode
    where not summaries.is_null
    qualify
        row_number() over (
            partition by summaries.summary_id
            order by
                2 * rivals.n_evaluated >= summaries.n_evaluated desc,
                case
                    when summaries.direction = 'min' then rivals.mean
                    else -rivals.mean
                end,
                rivals.system_id
        ) = 1

),

-- A value that reaches a band exactly is in it, whatever the last bits of a division.
corrected as (

    select
        summaries.*,
        strongest_nulls.null_value,
        best_references.reference_id,
        best_references.reference_value,
        round(
            (summaries.ci_low - strongest_nulls.null_value)
            / nullif(1 - strongest_nulls.null_value, 0),
            12
        ) as above_chance
    from summaries
    left join strongest_nulls
        on summaries.summary_id = strongest_nulls.summary_id
    left join best_references
        on summaries.summary_id = best_references.summary_id

),

bands as (

    select
        corrected.summary_id,
        metric_bands.band
    from corrected
    inner join metric_bands
        on
            corrected.band_scale = metric_bands.band_scale
            and (
                metric_bands.at_least is null
                or corrected.above_chance >= metric_bands.at_least
            )
    where
        not isnan(corrected.above_chance)
        and not isnan(corrected.mean)
    qualify
        row_number() over (
            partition by corrected.summary_id
            order by metric_bands.at_least desc nulls last
        ) = 1

)

select
    corrected.summary_id,
    corrected.run_id,
    corrected.system_id,
    corrected.gold_set,
    corrected.slice_name,
    corrected.slice_value,
    corrected.metric,
    corrected.k,
    corrected.unit,
    corrected.mode,
    corrected.mean,
    corrected.ci_low,
    corrected.ci_high,
    corrected.n_asked,
    corrected.n_evaluated,
    corrected.n_uncovered,
    corrected.n_abstained,
    corrected.n_failed,
    corrected.n_not_run,
    corrected.n_unscored,
    corrected.null_value,
    corrected.reference_id,
    corrected.reference_value,
    bands.band
from corrected
left join bands
    on corrected.summary_id = bands.summary_id
