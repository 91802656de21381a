with

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

metric_drifts as (

    select * from {{ ref('metric_drifts') }}

),

metric_floors as (

    select *
    from {{ ref('metric_floors') }}
    where null_kind = 'strongest'

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

int_slices_named as (

    select * from {{ ref('int_slices_named') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

scorers as (

    select * from {{ ref('scorers') }}

),

page_figures as (

    select *
    from {{ ref('page_figures') }}
    where shown_in = 'rpt_answers_figures'

),

-- What the page shows by itself, in its order.
shown as (

    select *
    from page_figures
    where figure_id <> 'of_companies'

),

of_companies as (

    select *
    from page_figures
    where figure_id = 'of_companies'

),

of_answers as (

    select *
    from metric_catalogue
    where
        asked_of in ('answers', 'any', 'summaries', 'judge')
        or (
            asked_of = 'public'
            and unit = 'answer'
        )

),

described as (

    select
        of_answers.metric,
        of_answers.k,
        of_answers.unit,
        of_answers.mode,
        of_answers.part,
        -- An official and a strict reading of one metric stand side by side.
        of_answers.label
        || case when of_answers.mode = 'finrag' then '' else ', ' || of_answers.mode end
            as label,
        of_answers.description,
        of_answers.direction,
        of_answers.value_unit <> 'count' as is_share,
        of_answers.is_headline,
        shown.figure_pos as shown_pos,
        shown.figure_id as shown_as,
        coalesce(scorers.is_configured, true) as is_configured,
        case
            when scorers.scorer_id is not null then scorers.scorer_id
            when scorers.metric is not null then 'none configured'
            else 'rule: ' || of_answers.source
        end as scorer
    from of_answers
    left join scorers
        on of_answers.metric = scorers.metric
    left join shown
        on
            of_answers.metric = shown.metric
            and of_answers.k = shown.k
            and of_answers.unit = shown.unit
            and of_answers.mode = shown.mode

),

-- Companies are many: they have the figures that a decision rests on, and no others.
chosen as (

    select
        metric_summaries.*,
        described.part,
        described.label,
        described.description,
        described.direction,
        described.is_share,
        described.is_headline,
        described.shown_pos,
        described.shown_as,
        described.is_configured,
        described.scorer,
        registered_systems.is_null,
        coalesce(isfinite(metric_summaries.mean), false) as is_measured,
        -- Only questions of the filings are checked for soundness.
        metric_summaries.slice_name
        = case
            when
                bool_or(metric_summaries.slice_name = 'sound') over (
                    partition by metric_summaries.gold_set
                )
                then 'sound'
            else 'overall'
        end as is_whole
    from metric_summaries
    inner join described
        on
            metric_summaries.metric = described.metric
            and metric_summaries.k = described.k
            and metric_summaries.unit = described.unit
            and metric_summaries.mode = described.mode
    inner join registered_systems
        on metric_summaries.system_id = registered_systems.system_id
    left join of_companies
        on
            metric_summaries.metric = of_companies.metric
            and metric_summaries.k = of_companies.k
            and metric_summaries.unit = of_companies.unit
            and metric_summaries.mode = of_companies.mode
    where
        metric_summaries.slice_name in (
            'overall',
            'sound',
            'difficulty',
            'scope',
            'category',
            'answer_type',
            'section',
            'year',
            'doc_type',
            'quarter'
        )
        or (
            metric_summaries.slice_name = 'company'
            and (
                described.is_headline
                or of_companies.figure_id is not null
            )
        )

),

baselines as (

    select count(*) as n_figures
    from metric_drifts

)

select
    chosen.run_id,
    chosen.gold_set,
    chosen.system_id,
    chosen.is_null,
    chosen.slice_name,
    coalesce(int_slices_named.slice_title, 'Company') as slice_title,
    chosen.is_whole,
    chosen.slice_value,
    coalesce(int_slices_named.slice_label, chosen.slice_value) as slice_label,
    cast(coalesce(int_slices_named.slice_order, 0) as integer) as slice_order,
    concat_ws('|', chosen.metric, chosen.k, chosen.unit, chosen.mode) as metric_id,
    chosen.metric,
    chosen.k,
    chosen.unit,
    chosen.mode,
    chosen.part,
    chosen.label,
    chosen.description,
    chosen.direction,
    chosen.is_share,
    chosen.is_headline,
    chosen.shown_pos,
    chosen.shown_as,
    chosen.scorer,
    case when chosen.is_measured then chosen.mean end as value,
    case when chosen.is_measured then chosen.ci_low end as ci_low,
    case when chosen.is_measured then chosen.ci_high end as ci_high,
    chosen.n_evaluated as n,
    chosen.n_asked,
    chosen.n_abstained,
    chosen.n_failed + chosen.n_not_run as n_failed,
    chosen.n_unscored,
    chosen.scorer_id,
    case when chosen.is_measured then 'measured' else 'unmeasured' end as status,
    case
        when chosen.is_measured then null
        when not chosen.is_configured then 'No model is configured to score it.'
        when chosen.n_evaluated = 0
            then
                'Nothing to score in ' || chosen.n_asked || ' questions: '
                || chosen.n_abstained || ' declined, '
                || chosen.n_failed + chosen.n_not_run
                || ' failed or not run, ' || chosen.n_unscored || ' without value.'
        else 'The score is no number.'
    end as why,
    metric_drifts.baseline_mean as baseline_value,
    metric_drifts.change,
    case
        when metric_drifts.change = 0 then null
        else (metric_drifts.change > 0) = (chosen.direction = 'max')
    end as is_better,
    case
        when metric_drifts.is_comparable then null
        when metric_drifts.why_not is not null then metric_drifts.why_not
        when baselines.n_figures = 0 then 'no baseline is set'
        else 'the baseline has no figure for it'
    end as baseline_why,
    metric_floors.null_p90 as floor_value,
    metric_floors.n_null,
    metric_floors.distance,
    metric_floors.is_above_null as is_above_floor,
    case
        when metric_floors.floor_id is null then null
        when metric_floors.distance is not null then 'measured'
        when metric_floors.score is null then 'unmeasured'
        when metric_floors.n_null = 0 then 'not_applicable'
        else 'too_few'
    end as floor_status,
    case
        when metric_floors.floor_id is null or metric_floors.distance is not null
            then null
        when metric_floors.score is null then 'The system has no score to compare.'
        when metric_floors.n_null = 0
            then 'No null answer of this kind can be scored by it.'
        else 'Only ' || metric_floors.n_null || ' null answers: too few for a floor.'
    end as floor_why
from chosen
cross join baselines
left join int_slices_named
    on
        chosen.slice_name = int_slices_named.slice_name
        and chosen.slice_value = int_slices_named.slice_value
left join metric_drifts
    on
        chosen.system_id = metric_drifts.system_id
        and chosen.gold_set = metric_drifts.gold_set
        and chosen.slice_name = metric_drifts.slice_name
        and chosen.slice_value = metric_drifts.slice_value
        and chosen.metric = metric_drifts.metric
        and chosen.k = metric_drifts.k
        and chosen.unit = metric_drifts.unit
        and chosen.mode = metric_drifts.mode
left join metric_floors
    on
        chosen.system_id = metric_floors.system_id
        and chosen.gold_set = metric_floors.gold_set
        and chosen.slice_name = metric_floors.slice_name
        and chosen.slice_value = metric_floors.slice_value
        and chosen.metric = metric_floors.metric
        and chosen.k = metric_floors.k
        and chosen.unit = metric_floors.unit
        and chosen.mode = metric_floors.mode
