with

system_costs as (

    select * from {{ ref('system_costs') }}

),

registered_systems as (

    select * from {{ ref('registered_systems') }}

),

system_frontiers as (

    select * from {{ ref('system_frontiers') }}

),

metric_catalogue as (

    select * from {{ ref('metric_catalogue') }}

),

metric_summaries as (

    select * from {{ ref('metric_summaries') }}

),

placed as (

    select
        system_costs.*,
        registered_systems.regime,
        registered_systems.system_kind in ('external_file', 'external_http')
            as is_external
    from system_costs
    inner join registered_systems
        on system_costs.system_id = registered_systems.system_id

),

qualities as (

    select
        system_frontiers.*,
        metric_catalogue.label as quality_label,
        -- The interval is of the mean over what was evaluated; failures make another.
        case
            when metric_summaries.n_failed + metric_summaries.n_not_run = 0
                then metric_summaries.ci_low
        end as quality_ci_low,
        case
            when metric_summaries.n_failed + metric_summaries.n_not_run = 0
                then metric_summaries.ci_high
        end as quality_ci_high,
        case
            when system_frontiers.is_on_frontier then 'on the frontier'
            when not system_frontiers.is_on_frontier then 'beaten'
            else 'unknown'
        end as place,
        case
            when system_frontiers.is_on_frontier is not null then null
            when system_frontiers.quality is null
                then 'Its quality was not measured.'
            when system_frontiers.latency_p50_ms is null then 'It was not timed.'
            else 'What a question costs is not known.'
        end as place_why
    from system_frontiers
    inner join metric_catalogue
        on
            system_frontiers.quality_metric = metric_catalogue.metric
            and system_frontiers.quality_k = metric_catalogue.k
            and system_frontiers.quality_unit = metric_catalogue.unit
            and system_frontiers.quality_mode = metric_catalogue.mode
    left join metric_summaries
        on
            system_frontiers.system_id = metric_summaries.system_id
            and system_frontiers.gold_set = metric_summaries.gold_set
            and metric_summaries.slice_name = 'sound'
            and metric_summaries.slice_value = 'all'
            and system_frontiers.quality_metric = metric_summaries.metric
            and system_frontiers.quality_k = metric_summaries.k
            and system_frontiers.quality_unit = metric_summaries.unit
            and system_frontiers.quality_mode = metric_summaries.mode

)

select
    placed.run_id,
    placed.system_id,
    placed.gold_set,
    placed.regime,
    placed.n_items,
    placed.n_timed,
    placed.latency_p50_ms,
    placed.latency_p95_ms,
    case
        when placed.n_timed = 0 then 'unmeasured'
        when placed.n_timed < placed.n_items then 'too_few'
        else 'measured'
    end as latency_status,
    case
        when placed.n_timed = placed.n_items and placed.n_items > 0 then null
        when placed.n_timed > 0
            then 'Some queries have no time; the figures are of the rest.'
        when placed.is_external then 'The system gave no times.'
        when {{ gold_set_is('anchors', 'placed.gold_set') }}
            then 'Anchors are searched all at once: a single query has no time.'
        else 'Nothing was timed.'
    end as latency_why,
    placed.n_calls,
    placed.input_tokens,
    placed.output_tokens,
    placed.cost_usd_per_query,
    placed.is_cost_known,
    case when placed.is_cost_known then 'measured' else 'unmeasured' end
        as cost_status,
    case
        when placed.cost_source = 'stated'
            then 'What the system says that it spends.'
        when placed.cost_source = 'mixed'
            then
                'What the system says that it spends; where it does not say it, its '
                || 'tokens at the price of its model.'
        when placed.is_cost_known and placed.is_external
            then 'Its tokens at the price of its model.'
        when
            placed.is_cost_known
            and placed.n_calls = 0
            and placed.embedding_cost_usd_per_query > 0
            then 'Price of the embeddings of the queries.'
        when placed.is_cost_known and placed.n_calls = 0
            then 'No language model was asked; machine time has no price here.'
        when placed.is_cost_known
            then 'Sum of the prices of all calls over the queries.'
        when placed.is_external
            then
                'The system does not say what each question costs, nor its tokens with '
                || 'a model that has a price.'
        when
            placed.embedding_tokens_per_query > 0
            and placed.embedding_cost_usd_per_query is null
            then 'The encoder has no price.'
        else 'A call has no price: its model or its token count is missing.'
    end as cost_why,
    qualities.quality_label,
    qualities.quality,
    qualities.quality_ci_low,
    qualities.quality_ci_high,
    qualities.n_items as quality_n,
    qualities.place,
    qualities.place_why,
    qualities.dominated_by
from placed
left join qualities
    on
        placed.system_id = qualities.system_id
        and placed.gold_set = qualities.gold_set
