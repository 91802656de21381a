with

int_items_ranked as (

    select * from {{ ref('int_items_ranked') }}

),

external_predictions as (

    select * from {{ ref('external_predictions') }}

),

int_external_items_ranked as (

    select * from {{ ref('int_external_items_ranked') }}

),

-- One search may rank several kinds of unit; its time counts once.
searches as (

    select
        system_id,
        item_id,
        min(unit) as unit
    from int_external_items_ranked
    group by system_id, item_id

),

staged as (

    select
        system_id,
        item_id,
        unit,
        stages,
        spread
    from int_items_ranked
    where stages is not null

    union all

    select
        external_predictions.system_id,
        external_predictions.item_id,
        coalesce(searches.unit, 'sentence') as unit,
        external_predictions.stages,
        null as spread
    from external_predictions
    left join searches
        on
            external_predictions.system_id = searches.system_id
            and external_predictions.item_id = searches.item_id
    where
        external_predictions.stages is not null
        and (
            searches.unit is not null
            or {{ gold_set_is('filings', 'external_predictions.gold_set') }}
        )

),

stages as (

    select
        system_id,
        item_id,
        unit,
        spread,
        {{ unnest_structs('stages') }}
    from staged

)

select
    system_id,
    item_id,
    unit,
    stage_pos,
    stage,
    n_in,
    n_out,
    latency_ms,
    case when stage = 'rerank' then struct_extract(spread, 'n_repeats') end
        as n_repeats,
    case when stage = 'rerank' then struct_extract(spread, 'score_variance') end
        as score_variance,
    case when stage = 'rerank' then struct_extract(spread, 'score_entropy') end
        as score_entropy
from stages
