{#-
    Each score beside what nulls score. The floor of a mean is the 90th percentile of single
    null values: a strict one, for half of the score's own values may lie below its mean. A
    share has only values 0 and 1, so its floor is the 90th percentile of the mean of as many
    items as the score has, were they answered by the null (normal approximation, with what
    the null's own few items leave open), which stands beside it for means too: where random
    order finds something now and then, only that tells a system from chance. Where less is
    better it is the 10th. Fewer than ten null items give no floor, and no pass. A null need
    not exist for every question of the score: n and n_null tell. An answer to a public set
    has one null more: what the same reader answers from passages in random order.
-#}
{%- set fewest_nulls = 10 -%}
{%- set z_90 = '1.2815515655446004' -%}
with

runs as (

    select * from {{ ref('runs') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

int_floors_measured as (

    select * from {{ ref('int_floors_measured') }}

),

null_kinds as (

    select
        'random_order' as null_kind,
        false as is_of_answers

    union all

    select
        unnest(
            ['random_answer', 'wrong_year', 'wrong_company', 'altered_number']
        ) as null_kind,
        true as is_of_answers

),

-- Every score that a null can have has a row for every kind, measured or not.
expected as (

    select
        metric_summaries.system_id,
        metric_summaries.gold_set,
        metric_summaries.slice_name,
        metric_summaries.slice_value,
        metric_summaries.metric,
        metric_summaries.k,
        metric_summaries.unit,
        metric_summaries.mode,
        metric_summaries.scorer_id,
        metric_summaries.n_evaluated as n,
        case when not isnan(metric_summaries.mean) then metric_summaries.mean end
            as score,
        null_kinds.null_kind,
        case
            when metric_catalogue.unit = 'answer' then 'any'
            else registered_systems.regime
        end as regime,
        metric_catalogue.value_kind,
        metric_catalogue.direction
    from metric_summaries
    inner join registered_systems
        on
            metric_summaries.system_id = registered_systems.system_id
            and not registered_systems.is_null
    inner join metric_catalogue
        on
            metric_summaries.metric = metric_catalogue.metric
            and metric_summaries.k = metric_catalogue.k
            and metric_summaries.unit = metric_catalogue.unit
            and metric_summaries.mode = metric_catalogue.mode
    inner join null_kinds
        on
            (metric_catalogue.unit = 'answer') = null_kinds.is_of_answers
            -- Answers to a public set can be given from passages in random order too.
            or (
                not null_kinds.is_of_answers
                and metric_catalogue.asked_of = 'public'
            )
    where
        metric_summaries.slice_name in ('overall', 'sound', 'sound_scope')
        and metric_catalogue.asked_of is distinct from 'agents'
        -- A null answer is a text without source.
        and (metric_catalogue.unit <> 'answer' or metric_catalogue.needs_text_only)

),

measured as (

    select
        expected.*,
        coalesce(int_floors_measured.n_null, 0) as n_null,
        case when not int_floors_measured.has_nan then int_floors_measured.null_mean end
            as null_mean,
        coalesce(int_floors_measured.n_null, 0) >= {{ fewest_nulls }}
        and not int_floors_measured.has_nan
        and expected.score is not null as is_measured,
        int_floors_measured.null_p90,
        int_floors_measured.null_p10,
        case
            when expected.value_kind = 'share'
                then
                    (int_floors_measured.null_mean * int_floors_measured.n_null + 1)
                    / (int_floors_measured.n_null + 2)
            else int_floors_measured.null_mean
        end as null_centre,
        int_floors_measured.null_mean_of_squares
        - int_floors_measured.null_mean * int_floors_measured.null_mean
            as null_variance
    from expected
    left join int_floors_measured
        on
            expected.null_kind = int_floors_measured.null_kind
            and expected.regime = int_floors_measured.regime
            and expected.gold_set = int_floors_measured.gold_set
            and expected.slice_name = int_floors_measured.slice_name
            and expected.slice_value = int_floors_measured.slice_value
            and expected.metric = int_floors_measured.metric
            and expected.k = int_floors_measured.k
            and expected.unit = int_floors_measured.unit
            and expected.mode = int_floors_measured.mode
            and expected.scorer_id is not distinct from int_floors_measured.scorer_id

),

-- Score and null are two samples and both err. A null that was never right in ten tries
-- may be right one time in five: one success and one failure are added to it.
bounded as (

    select
        *,
        round(
            null_centre
            + case direction when 'min' then -1 else 1 end
            * {{ z_90 }} * sqrt(
                greatest(
                    case
                        when value_kind = 'share' then null_centre * (1 - null_centre)
                        else null_variance
                    end,
                    0
                )
                * (1.0 / nullif(n, 0) + 1.0 / nullif(n_null, 0))
            ),
            12
        ) as mean_bound
    from measured

),

floored as (

    select
        *,
        case
            when not is_measured then null
            when value_kind = 'share' then least(greatest(mean_bound, 0), 1)
            when direction = 'min' then round(null_p10, 12)
            else round(null_p90, 12)
        end as floor_value,
        case
            when not is_measured then null
            when value_kind = 'share' then least(greatest(mean_bound, 0), 1)
            else mean_bound
        end as mean_floor
    from bounded

),

-- The null that is hardest to beat; one without a floor only where no other has one.
strongest as (

    select *
    from floored
    qualify
        row_number() over (
            partition by
                system_id, gold_set, slice_name, slice_value,
                metric, k, unit, mode, scorer_id
            order by
                case
                    when direction = 'min' then -floor_value
                    else floor_value
                end desc nulls last,
                n_null desc,
                null_kind asc
        ) = 1

),

collected as (

    select
        *,
        null_kind as described_kind
    from floored

    union all

    select
        *,
        'strongest' as described_kind
    from strongest

),

with_distances as (

    select
        *,
        round(
            case
                when direction = 'min' then floor_value - score
                else score - floor_value
            end,
            12
        ) as distance,
        round(
            case
                when direction = 'min' then mean_floor - score
                else score - mean_floor
            end,
            12
        ) as distance_of_mean
    from collected

)

select
    md5(concat_ws(
        '|',
        with_distances.system_id,
        with_distances.gold_set,
        with_distances.slice_name,
        with_distances.slice_value,
        with_distances.metric,
        cast(with_distances.k as varchar),
        with_distances.unit,
        with_distances.mode,
        with_distances.scorer_id,
        with_distances.described_kind
    )) as floor_id,
    runs.run_id,
    with_distances.system_id,
    with_distances.gold_set,
    with_distances.slice_name,
    with_distances.slice_value,
    with_distances.metric,
    with_distances.k,
    with_distances.unit,
    with_distances.mode,
    with_distances.described_kind as null_kind,
    with_distances.n,
    with_distances.score,
    with_distances.n_null,
    with_distances.null_mean,
    with_distances.floor_value as null_p90,
    with_distances.distance,
    with_distances.distance > 0 as is_above_null,
    with_distances.mean_floor as null_mean_p90,
    with_distances.distance_of_mean,
    with_distances.scorer_id
from with_distances
cross join runs
